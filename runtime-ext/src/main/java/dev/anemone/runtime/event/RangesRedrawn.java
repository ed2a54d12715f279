// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import java.util.List;
import java.util.Objects;

/**
 * What came of a sample: what each task of a stage gets of a shuffle. The lists of bytes have an
 * entry for each consumer task.
 *
 * @param message id of the message that the sampled tasks sent
 * @param consumer id of the stage whose ranges were drawn
 * @param edge what it reads, a key of {@link EdgesCounted#readBytes()}
 * @param plainBytes what tasks would get with even ranges of hashes
 * @param drawnBytes what they get with the ranges that were drawn
 * @param partitions how many there are; 0 when nobody knows
 * @param hot partitions that were divided among several tasks
 * @param sampleTasks producer tasks that were sampled
 * @param heldTasks producer tasks that waited for the result
 * @param sampleMs from when the first sampled task could start until all measurements were there,
 *     in milliseconds
 * @param passMs how long the run-time passes took, in milliseconds
 * @param notes what the passes say of it
 */
public record RangesRedrawn(
    long time,
    String message,
    String consumer,
    String edge,
    List<Long> plainBytes,
    List<Long> drawnBytes,
    int partitions,
    List<HotPartition> hot,
    int sampleTasks,
    int heldTasks,
    long sampleMs,
    long passMs,
    List<String> notes)
    implements JobEvent {

  public RangesRedrawn {
    Objects.requireNonNull(message, "message");
    consumer = Absent.text(consumer);
    edge = Absent.text(edge);
    plainBytes = Absent.list(plainBytes);
    drawnBytes = Absent.list(drawnBytes);
    hot = Absent.list(hot);
    notes = Absent.list(notes);
  }

  /**
   * A partition that is too large for one task.
   *
   * @param partition its number
   * @param bytes what it has, as the sample lets one expect
   * @param dividedInto tasks that share it
   */
  public record HotPartition(int partition, long bytes, int dividedInto) {}
}
