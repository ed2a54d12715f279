package dev.anemone.ir.property;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The partitions that each consumer task of a shuffle reads. Together they cover all partitions
 * once. Run-time passes rewrite it.
 *
 * @param perTask for each consumer task its ranges, which need not be contiguous
 */
public record PartitionSet(List<List<HashRange>> perTask) implements EdgeProperty {

  public PartitionSet {
    perTask = perTask.stream().map(List::copyOf).toList();
  }

  /** Equal contiguous ranges: {@code multiplier} partitions for each of {@code tasks} tasks. */
  public static PartitionSet even(int tasks, int multiplier) {
    return new PartitionSet(
        IntStream.range(0, tasks)
            .mapToObj(t -> List.of(new HashRange(t * multiplier, (t + 1) * multiplier)))
            .toList());
  }

  /** Number of partitions in all ranges. */
  public int partitions() {
    return perTask.stream().flatMap(List::stream).mapToInt(HashRange::size).sum();
  }
}
