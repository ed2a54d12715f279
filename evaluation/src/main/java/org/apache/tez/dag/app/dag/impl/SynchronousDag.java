// SPDX-License-Identifier: Apache-2.0
package org.apache.tez.dag.app.dag.impl;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.util.Clock;
import org.apache.tez.dag.api.records.DAGProtos.DAGPlan;
import org.apache.tez.dag.app.AppContext;
import org.apache.tez.dag.app.TaskHeartbeatHandler;
import org.apache.tez.dag.app.dag.DAG;
import org.apache.tez.dag.app.dag.StateChangeNotifier;
import org.apache.tez.dag.records.TezDAGID;

/**
 * Tez's graph of a job, for a master of one thread: a change of a vertex's state has reached all
 * who listen when it has been told. Tez itself tells it by a thread of its own, of which a master
 * that looks for its next event does not know. Not thread-safe.
 *
 * <p>It is in Tez's package since Tez lets only its own tests take the place of the notifier.
 */
public final class SynchronousDag extends DAGImpl {

  /** A graph; {@code context} says where its events go. */
  public SynchronousDag(
      TezDAGID id,
      Configuration configuration,
      DAGPlan plan,
      AppContext context,
      TaskHeartbeatHandler heartbeats,
      Clock clock) {
    super(
        id,
        configuration,
        plan,
        context.getEventHandler(),
        context.getTaskCommunicatorManager(),
        new Credentials(),
        clock,
        context.getUser(),
        heartbeats,
        context);
    entityUpdateTracker.stop();
    entityUpdateTracker = new SynchronousNotifier(this);
  }

  /** Whoever tells something waits until it has been heard. */
  private static final class SynchronousNotifier extends StateChangeNotifier {

    private static final long DEADLINE_MILLIS = 60_000;

    private int unheard;

    SynchronousNotifier(DAG dag) {
      super(dag);
    }

    /** Tez goes on without telling that something was heard when a listener throws. */
    @Override
    protected synchronized void addedEventToQueue() {
      unheard++;
      long deadline = System.nanoTime() + DEADLINE_MILLIS * 1_000_000;
      while (unheard > 0) {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          throw new IllegalStateException(
              "nobody heard of a change of state within %,d ms; the log says why"
                  .formatted(DEADLINE_MILLIS));
        }
        try {
          wait(left);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("interrupted while a change of state was told", e);
        }
      }
    }

    @Override
    protected synchronized void processedEventFromQueue() {
      unheard--;
      notifyAll();
    }
  }
}
