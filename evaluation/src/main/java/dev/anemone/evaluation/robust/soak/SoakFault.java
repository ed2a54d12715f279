// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

/** What happens to a job and its cluster while it runs. */
enum SoakFault {
  /** Nothing. */
  NONE("nothing", 0),
  /** The JVM of a task is killed. */
  KILLED_CONTAINER("a container is killed", 10),
  /** The JVM of the application master is killed. */
  KILLED_MASTER("the application master is killed", 30),
  /** A node ends with its containers and blocks, and comes back when the job has ended. */
  LOST_NODE("a node is lost", 40),
  /** User code throws an exception in two attempts. */
  FAILING_CODE("user code fails twice", 20),
  /** User code sleeps in one attempt, in a job with speculation. */
  SLOW_TASK("a task is slow", 30);

  private final String words;
  private final int recoverySeconds;

  SoakFault(String words, int recoverySeconds) {
    this.words = words;
    this.recoverySeconds = recoverySeconds;
  }

  /** What happens, for people. */
  String words() {
    return words;
  }

  /**
   * How much longer a job may take: until it is noticed, and what was lost is done again in new
   * containers.
   */
  int recoverySeconds() {
    return recoverySeconds;
  }
}
