// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.sampling;

import dev.anemone.ir.message.HistogramSum;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.runtime.stage.Redrawing;
import dev.anemone.runtime.stage.Redrawing.MeasuredShuffle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Puts the measurements of sampled tasks together. However many tasks there are, it keeps one sum
 * for each shuffle, 8 bytes a partition: a measurement is added as it comes, straight from its
 * bytes, and not kept.
 *
 * <p>Not thread-safe.
 */
public final class SizeCollector {

  private final String messageId;
  private final List<Part> parts = new ArrayList<>();
  private long startedMillis = Long.MAX_VALUE;

  /** A collector of what draws the ranges of a stage. */
  public SizeCollector(Redrawing redrawing) {
    this.messageId = redrawing.messageId();
    for (MeasuredShuffle shuffle : redrawing.shuffles()) {
      parts.add(new Part(shuffle));
    }
  }

  /** What is known of one shuffle. */
  private final class Part {

    private final MeasuredShuffle shuffle;
    private final HistogramSum sum;
    private final BitSet measured = new BitSet();
    private final List<Long> millis = new ArrayList<>();

    /** Its stage may have got fewer tasks than were planned; each measurement says how many. */
    private int sampledTasks;

    private int tasks;

    Part(MeasuredShuffle shuffle) {
      this.shuffle = shuffle;
      this.sum = new HistogramSum(messageId, shuffle.partitions());
      this.sampledTasks = shuffle.sampledTasks();
      this.tasks = shuffle.tasks();
    }

    boolean isComplete() {
      return measured.cardinality() >= sampledTasks;
    }

    void add(MeasuredSizes sizes) {
      sum.add(ByteBuffer.wrap(sizes.sizes()));
      measured.set(sizes.task());
      millis.add(sizes.tookMillis());
      sampledTasks = sizes.sampledTasks();
      tasks = sizes.tasks();
    }
  }

  /**
   * Adds what a task has measured. When it was run again, its first measurement counts.
   *
   * @return whether this was the last one that was missing
   * @throws IllegalArgumentException when nobody asked for it
   */
  public boolean add(MeasuredSizes measured) {
    Part part =
        parts.stream()
            .filter(p -> p.shuffle.stage().equals(measured.stage()))
            .filter(p -> p.shuffle.peer().equals(measured.peer()))
            .filter(p -> messageId.equals(measured.messageId()))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "stage "
                            + measured.stage()
                            + " measured what it sends to "
                            + measured.peer()
                            + " for message "
                            + measured.messageId()
                            + ", which is not part of message "
                            + messageId));
    startedMillis = Math.min(startedMillis, measured.startedMillis());
    if (isComplete() || part.measured.get(measured.task())) {
      return false;
    }
    part.add(measured);
    return isComplete();
  }

  private boolean isComplete() {
    return parts.stream().allMatch(Part::isComplete);
  }

  /** When the first of the measured attempts started, in milliseconds since 1970. */
  public long startedMillis() {
    return startedMillis;
  }

  /**
   * How long the sampled tasks ran, in milliseconds: for each shuffle of {@link #message} a list,
   * in the order in which they measured.
   */
  public List<List<Long>> millis() {
    return parts.stream().map(part -> List.copyOf(part.millis)).toList();
  }

  /** What the sampled tasks have sent, together. */
  public ShuffleSizes message() {
    return new ShuffleSizes(
        messageId,
        parts.stream()
            .map(
                part ->
                    new ShuffleSizes.Shuffle(
                        part.shuffle.edges(),
                        part.sum.toHistogram(),
                        part.sampledTasks,
                        part.tasks))
            .toList());
  }
}
