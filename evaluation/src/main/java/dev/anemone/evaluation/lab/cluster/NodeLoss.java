// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.cluster;

import dev.anemone.evaluation.lab.ExperimentFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A node of a cluster is lost some time from now, or when there is one with containers and without
 * an application master after that, unless that is called off before.
 */
public final class NodeLoss implements AutoCloseable {
  private static final Duration STOP_LIMIT = Duration.ofMinutes(2);
  private static final long POLL_MILLIS = 100;

  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final SharedCluster cluster;
  private final ScheduledFuture<?> loss;
  private final Choice choice;
  private volatile Optional<LostNode> lost = Optional.empty();

  /** Which of the nodes it can be; named as on the command line. */
  public enum Choice {
    any,
    /** The one whose containers have most on its disk: with aggregations, that of the largest. */
    fullest
  }

  /**
   * A node that was lost.
   *
   * @param bytes that its containers had on its disk
   */
  public record LostNode(int index, long bytes) {}

  private NodeLoss(Duration delay, SharedCluster cluster, Choice choice) {
    this.cluster = cluster;
    this.choice = choice;
    this.loss =
        thread.scheduleWithFixedDelay(
            this::lose, delay.toMillis(), POLL_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Begins to wait. */
  public static NodeLoss after(Duration delay, SharedCluster cluster, Choice choice) {
    return new NodeLoss(delay, cluster, choice);
  }

  private void lose() {
    if (lost.isEmpty()) {
      try {
        lost = cluster.loseNode(choice);
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      } catch (InterruptedException calledOff) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Calls it off if it has not begun, and says which node was lost. Fails if one could not be
   * stopped.
   */
  public Optional<LostNode> lost() throws InterruptedException {
    thread.shutdown();
    if (!thread.awaitTermination(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new ExperimentFailure("A node does not end in %d s.", STOP_LIMIT.toSeconds());
    }
    if (!loss.isCancelled()) {
      try {
        loss.get();
      } catch (ExecutionException e) {
        throw new ExperimentFailure(e.getCause(), "A node could not be stopped: %s", e.getCause());
      }
    }
    return lost;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
