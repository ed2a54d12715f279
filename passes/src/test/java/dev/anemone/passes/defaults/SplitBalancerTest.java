// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.SourceVertex;
import dev.anemone.passes.Plans;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SplitBalancerTest {

  @Test
  void equalPartsStayWithTheirNeighbours() {
    assertThat(deal(2, 5, 5, 5, 5)).containsExactly(List.of(0, 1), List.of(2, 3));
  }

  @Test
  void partsAreTakenApartWhereThatIsFaster() {
    // Neighbours at best: 9 + 1 and 1 + 9, or 11 and 9. Taken apart: 10 and 10.
    assertThat(deal(2, 9, 9, 1, 1)).containsExactly(List.of(0, 2), List.of(1, 3));
  }

  @Test
  void partsOfUnknownSizeAreDealtByNumber() {
    assertThat(deal(3, 0, 0, 0, 0, 0, 0))
        .containsExactly(List.of(0, 1), List.of(2, 3), List.of(4, 5));
  }

  @Test
  void everyTaskGetsAPartWhenThereAreEnough() {
    assertThat(deal(3, 100, 1, 1)).containsExactly(List.of(0), List.of(1), List.of(2));
  }

  @Property
  void everyPartIsReadOnceAndNoTaskReadsMuchMoreThanItsShare(
      @ForAll @Size(min = 1, max = 40) List<@LongRange(min = 0, max = 1000) Long> sizes,
      @ForAll @IntRange(min = 1, max = 12) int tasks) {
    long[] bytes = sizes.stream().mapToLong(Long::longValue).toArray();
    List<List<Integer>> splits = deal(tasks, bytes);
    assertThat(splits).hasSize(tasks);
    assertThat(splits.stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, bytes.length).boxed().toList());
    long share = Arrays.stream(bytes).map(b -> Math.max(1, b)).sum() / tasks;
    long largest = Arrays.stream(bytes).map(b -> Math.max(1, b)).max().orElseThrow();
    for (List<Integer> split : splits) {
      long load = split.stream().mapToLong(part -> Math.max(1, bytes[part])).sum();
      assertThat(load).isLessThanOrEqualTo(share + largest);
    }
  }

  private static List<List<Integer>> deal(int tasks, long... bytes) {
    SourceVertex source = Plans.sourceOf("source", bytes);
    return new SplitBalancer(tasks).deal(source).perTask();
  }
}
