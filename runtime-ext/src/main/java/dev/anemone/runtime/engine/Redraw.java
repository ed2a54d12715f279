// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

import dev.anemone.runtime.event.RangesRedrawn.HotPartition;
import java.util.List;
import java.util.Objects;

/**
 * What came of a sample: how the shuffles into one stage were divided among its tasks, and how they
 * would have been without it.
 *
 * @param messageId the message that the sampled tasks sent
 * @param shuffles the shuffles
 * @param sampledTasks producer tasks that were sampled; what they wrote was kept
 * @param heldTasks producer tasks that waited for the result
 * @param sampleMillis from when the first sampled task could start until the last one's
 *     measurements were there, in milliseconds
 * @param passMillis how long the run-time passes took, in milliseconds
 * @param notes what the passes say of it
 */
public record Redraw(
    String messageId,
    List<Shuffle> shuffles,
    int sampledTasks,
    int heldTasks,
    long sampleMillis,
    long passMillis,
    List<String> notes) {

  public Redraw {
    Objects.requireNonNull(messageId, "messageId");
    shuffles = List.copyOf(shuffles);
    notes = List.copyOf(notes);
  }

  /**
   * A shuffle, or several whose producers run in one stage. The lists have an entry for each
   * consumer task: bytes of keys and values, as the sample lets one expect.
   *
   * @param edge what the consumer reads, a key of {@link JobResult#readBytes()}
   * @param before with even ranges of hashes
   * @param after with the ranges that were drawn
   * @param partitions how many there are
   * @param hot those that were divided among several tasks
   */
  public record Shuffle(
      String edge, List<Long> before, List<Long> after, int partitions, List<HotPartition> hot) {

    public Shuffle {
      Objects.requireNonNull(edge, "edge");
      before = List.copyOf(before);
      after = List.copyOf(after);
      hot = List.copyOf(hot);
    }
  }
}
