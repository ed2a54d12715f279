// SPDX-License-Identifier: Apache-2.0
package org.apache.tez.dag.app.dag.impl;

import org.apache.hadoop.yarn.api.records.Container;
import org.apache.tez.dag.app.RecoveryParser.DAGRecoveryData;
import org.apache.tez.dag.app.RecoveryParser.TaskAttemptRecoveryData;
import org.apache.tez.dag.app.dag.TaskAttempt;
import org.apache.tez.dag.history.events.TaskAttemptStartedEvent;

/**
 * Gives attempts their containers back that a second application master knows from the recovery's
 * log. Tez reads from there when they began and what they wrote, and leaves out where: when a
 * consumer then does not find a block, Tez asks for the node of the attempt that is to be blamed,
 * gets null, and ends the whole job.
 *
 * <p>It is in this package since Tez shows an attempt's container to nobody else.
 */
public final class RecoveredAttempts {
  private RecoveredAttempts() {}

  /**
   * Gives an attempt that has succeeded its container, if it has none. Called before a consumer can
   * have looked in vain for what the attempt wrote.
   */
  public static void giveContainer(TaskAttempt succeeded) {
    if (succeeded instanceof TaskAttemptImpl attempt && attempt.getNodeId() == null) {
      DAGRecoveryData log = attempt.getVertex().getAppContext().getDAGRecoveryData();
      TaskAttemptRecoveryData logged =
          log == null ? null : log.getTaskAttemptRecoveryData(attempt.getTaskAttemptID());
      if (logged != null && logged.getTaskAttemptStartedEvent() != null) {
        attempt.container = new TezContainer(container(logged.getTaskAttemptStartedEvent()));
      }
    }
  }

  private static Container container(TaskAttemptStartedEvent started) {
    return Container.newInstance(
        started.getContainerId(), started.getNodeId(), null, null, null, null);
  }
}
