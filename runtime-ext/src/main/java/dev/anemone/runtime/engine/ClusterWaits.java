// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

import java.time.Duration;
import java.util.Objects;

/**
 * How long a client waits for a cluster, and how long an application keeps what nobody uses. Each
 * is at least a second.
 *
 * @param answer how long the cluster may take to say what it has room for
 * @param shipping how long the class path may take to the cluster
 * @param start how long the cluster may take to start the application master
 * @param stop how long an application may take to end, before it is left to itself
 * @param hosts how long tasks wait that are bound to hosts all of which are lost, before the
 *     application fails
 * @param room how long a task waits for an executor, before tasks that depend on it are ended to
 *     make room
 * @param idleExecutor for how long an executor is kept at least when no task runs on it
 * @param unusedJars for how long a jar stays on the cluster that no job uses
 */
public record ClusterWaits(
    Duration answer,
    Duration shipping,
    Duration start,
    Duration stop,
    Duration hosts,
    Duration room,
    Duration idleExecutor,
    Duration unusedJars) {

  public ClusterWaits {
    require("an answer of the cluster", answer);
    require("the class path", shipping);
    require("the start of the application master", start);
    require("the end of an application", stop);
    require("lost hosts", hosts);
    require("an executor", room);
    require("tasks on an idle executor", idleExecutor);
    require("the use of a jar", unusedJars);
  }

  private static void require(String what, Duration wait) {
    Objects.requireNonNull(wait, what);
    if (wait.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "to wait for " + what + " takes at least a second, not " + wait);
    }
  }
}
