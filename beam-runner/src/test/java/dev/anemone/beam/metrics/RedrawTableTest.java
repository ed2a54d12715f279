// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.engine.Redraw;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedrawTableTest {

  @Test
  void everySampleHasASectionWithALineForEachShuffleAndTheNotes() {
    Redraw join =
        new Redraw(
            "v7-sizes",
            List.of(
                new Redraw.Shuffle(
                    "e3",
                    List.of(9_000_000L, 1_000_000L),
                    List.of(5_200_000L, 4_800_000L),
                    8,
                    List.of()),
                new Redraw.Shuffle("e4", List.of(10L, 30L), List.of(20L, 20L), 8, List.of())),
            2,
            38,
            1_250,
            7,
            List.of("partition 17 is divided among 2 tasks", "a second note"));
    Redraw small =
        new Redraw(
            "v9-sizes",
            List.of(new Redraw.Shuffle("e6", List.of(4L, 2L, 0L), List.of(6L), 8, List.of())),
            1,
            0,
            3,
            0,
            List.of());

    String table =
        RedrawTable.of(
            List.of(join, small), Map.of("e3", List.of(5_500_000L, 4_500_000L), "e6", List.of(8L)));

    assertThat(table)
        .isEqualTo(
            """

            v7-sizes: 2 tasks sampled and kept, 38 waited; sizes known after 1,250 ms, ranges drawn in 7 ms
            edge  tasks  even: max    mean  max/mean  drawn: max    mean  max/mean  read: max    mean  max/mean
            e3        2     9.0 MB  5.0 MB      1.80      5.2 MB  5.0 MB      1.04     5.5 MB  5.0 MB      1.10
            e4        2       30 B    20 B      1.50        20 B    20 B      1.00          -       -         -
            partition 17 is divided among 2 tasks
            a second note

            v9-sizes: 1 task sampled and kept, none waited; sizes known after 3 ms, ranges drawn in 0 ms
            edge   tasks  even: max  mean  max/mean  drawn: max  mean  max/mean  read: max  mean  max/mean
            e6    3 -> 1        4 B   2 B      2.00         6 B   6 B      1.00        8 B   8 B      1.00
            """);
  }

  @Test
  void edgesThatAreCountedTogetherAreThoseThatWereReadTogether() {
    Redraw.Shuffle together =
        new Redraw.Shuffle("e3+e4+e6", List.of(80L, 20L), List.of(50L, 50L), 8, List.of());
    Redraw redraw = new Redraw("v5-sizes", List.of(together), 2, 3, 4, 5, List.of());
    Map<String, List<Long>> all =
        Map.of("e3+e6", List.of(30L, 40L), "e4", List.of(30L, 20L), "e5", List.of(1_000L, 0L));

    assertThat(RedrawTable.of(List.of(redraw), all)).contains("60 B  60 B      1.00\n");
    assertThat(RedrawTable.of(List.of(redraw), Map.of("e4", List.of(30L, 20L))))
        .as("not all of them are known")
        .contains("      -     -         -\n");
  }

  @Test
  void withoutSamplesThereIsNothing() {
    assertThat(RedrawTable.of(List.of(), Map.of("e1", List.of(1L)))).isEmpty();
  }
}
