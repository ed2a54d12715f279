// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.print;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.PartitionSet;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PrintedPartitionsTest {

  private static final List<HashRange> HOT = List.of(new HashRange(2, 3));

  private static PartitionSet divided(int last, boolean replicated, int divisions) {
    List<PartitionDivision> divided = new ArrayList<>();
    IntStream.range(2, 2 + divisions)
        .forEach(p -> divided.add(new PartitionDivision(p, List.of(0, 1), replicated)));
    return new PartitionSet(
        List.of(List.of(new HashRange(0, 2), new HashRange(2, 3)), HOT, ranges(3, last)), divided);
  }

  private static List<HashRange> ranges(int from, int to) {
    return IntStream.range(from, to).mapToObj(p -> new HashRange(p, p + 1)).toList();
  }

  @Test
  void aShortSetIsPrintedInFull() {
    assertThat(ShortForm.of(PartitionSet.none(3))).isEqualTo("none(3)");
    assertThat(ShortForm.of(divided(4, false, 1)))
        .isEqualTo("([0,2)+[2,3) | [2,3) | [3,4); partition 2 divided among 0, 1)");
    assertThat(ShortForm.of(divided(4, true, 1)))
        .isEqualTo("([0,2)+[2,3) | [2,3) | [3,4); partition 2 replicated to 0, 1)");
    HashRange all = new HashRange(0, 8);
    assertThat(
            ShortForm.of(
                new PartitionSet(
                    List.of(List.of(all), List.of(all)),
                    List.of(new PartitionDivision(all, List.of(0, 1), false)))))
        .isEqualTo("([0,8) | [0,8); partitions [0, 8) divided among 0, 1)");
  }

  @Test
  void aLongSetStillNamesItsDivisions() {
    assertThat(ShortForm.of(divided(100, false, 1)))
        .matches("\\(3 tasks of 100 partitions#[0-9a-f]{8}; partition 2 divided among 0, 1\\)");
    assertThat(ShortForm.of(divided(100, false, 4)))
        .matches("\\(3 tasks of 100 partitions#[0-9a-f]{8}; 4 partitions divided#[0-9a-f]{8}\\)");
  }

  @Test
  void divisibilityIsPrintedByName() {
    assertThat(ShortForm.of(Divisibility.DIVISIBLE)).isEqualTo("DIVISIBLE");
  }
}
