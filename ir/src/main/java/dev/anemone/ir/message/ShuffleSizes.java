// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.message;

import java.util.List;
import java.util.Objects;

/**
 * How many bytes the shuffles into one consumer put into each partition, as a sample of their
 * producer tasks found out. Immutable and thread-safe.
 *
 * @param messageId names the message
 * @param shuffles the shuffles, each with as many partitions
 */
public record ShuffleSizes(String messageId, List<Shuffle> shuffles) implements Message {

  public ShuffleSizes {
    Objects.requireNonNull(messageId, "messageId");
    shuffles = List.copyOf(shuffles);
    if (shuffles.isEmpty()) {
      throw new IllegalArgumentException("message " + messageId + " measures no shuffle");
    }
    int partitions = shuffles.get(0).sampled().partitions();
    for (Shuffle shuffle : shuffles) {
      if (shuffle.sampled().partitions() != partitions) {
        throw new IllegalArgumentException(
            "message "
                + messageId
                + " measures shuffles with "
                + partitions
                + " and with "
                + shuffle.sampled().partitions()
                + " partitions");
      }
    }
  }

  /**
   * One shuffle, or several whose producers run in one stage and so are measured together.
   *
   * @param edges ids of the edges
   * @param sampled what the sampled tasks have sent, together
   * @param sampledTasks how many tasks those are, at least 1
   * @param tasks how many producer tasks there are
   */
  public record Shuffle(List<String> edges, SizeHistogram sampled, int sampledTasks, int tasks) {

    public Shuffle {
      edges = List.copyOf(edges);
      Objects.requireNonNull(sampled, "sampled");
      if (edges.isEmpty() || sampledTasks < 1 || tasks < sampledTasks) {
        throw new IllegalArgumentException(
            sampledTasks + " of " + tasks + " tasks cannot be a sample of the edges " + edges);
      }
    }

    /** Bytes of a partition when the other tasks send as much as the sampled ones. */
    public double estimatedBytes(int partition) {
      return (double) sampled.bytes(partition) * tasks / sampledTasks;
    }
  }

  /** Number of partitions of each shuffle. */
  public int partitions() {
    return shuffles.get(0).sampled().partitions();
  }

  /** Estimated bytes of a partition over all shuffles. */
  public double estimatedBytes(int partition) {
    double bytes = 0;
    for (Shuffle shuffle : shuffles) {
      bytes += shuffle.estimatedBytes(partition);
    }
    return bytes;
  }
}
