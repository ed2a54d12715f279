// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle;

import dev.anemone.ir.partition.HashRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Ascending ranges of partitions, with and without gaps between them. */
public final class RandomRanges {

  private RandomRanges() {}

  public static List<HashRange> of(int partitions, Random random) {
    List<HashRange> ranges = new ArrayList<>();
    for (int from = random.nextInt(2); from < partitions; from += random.nextInt(3)) {
      int to = from + 1 + random.nextInt(Math.min(4, partitions - from));
      ranges.add(new HashRange(from, to));
      from = to;
    }
    return ranges;
  }

  public static boolean contain(List<HashRange> ranges, int partition) {
    return ranges.stream().anyMatch(r -> r.from() <= partition && partition < r.to());
  }
}
