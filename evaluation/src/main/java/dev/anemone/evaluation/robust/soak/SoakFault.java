// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import java.util.EnumSet;
import java.util.Set;

/** What happens to a job of the soak, or to the cluster meanwhile. */
enum SoakFault {
  NONE("nothing", 0),
  KILLED_CONTAINER("a container is killed", 10),
  /** All at once, and the application master may be among them. */
  HALF_OF_CONTAINERS("half of the containers are killed", 40),
  /** A container stands still, as in a pause of its machine, and goes on as if nothing had been. */
  PAUSED_CONTAINER("a container stands still", 40),
  KILLED_MASTER("the application master is killed", 30),
  /** A node ends with its containers and blocks, and comes back when the job has ended. */
  LOST_NODE("a node is lost", 40),
  /** Packets from and to one node are dropped, and nobody is told, for some time. */
  DROPPED_PACKETS("packets of a node are dropped", 60),
  /** No byte can be written to the local directories of one node until the job has ended. */
  FULL_DISK("the disk of a node is full", 60),
  /** What is written to the local directories of one node waits, again and again, for some time. */
  SLOW_DISK("the disk of a node is slow", 40),
  /** The wall clock of one node is an hour off until the job has ended. */
  CLOCK_JUMP("the clock of a node jumps", 60),
  /** User code throws an exception in two attempts. */
  FAILING_CODE("user code fails twice", 20),
  /** User code sleeps in one attempt, in a job with speculation. */
  SLOW_TASK("a task is slow", 30);

  private static final Set<SoakFault> OF_THE_MACHINE =
      EnumSet.of(DROPPED_PACKETS, FULL_DISK, SLOW_DISK);

  private final String words;
  private final int recoverySeconds;

  SoakFault(String words, int recoverySeconds) {
    this.words = words;
    this.recoverySeconds = recoverySeconds;
  }

  String words() {
    return words;
  }

  /**
   * Whether the kernel is told to do it, for which there have to be {@link
   * dev.anemone.evaluation.lab.network.Namespaces}.
   */
  boolean ofTheMachine() {
    return OF_THE_MACHINE.contains(this);
  }

  /** How much longer a job may take, to notice and to do again what was lost. */
  int recoverySeconds() {
    return recoverySeconds;
  }
}
