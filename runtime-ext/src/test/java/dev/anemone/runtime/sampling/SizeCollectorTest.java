// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.message.SizeHistogram;
import dev.anemone.runtime.stage.Redrawing;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SizeCollectorTest {

  private final SizeCollector collector =
      new SizeCollector(
          new Redrawing(
              "sizes", List.of(shuffle("left", 2, 10), shuffle("right", 1, 1)), Map.of(), 8));

  private static Redrawing.MeasuredShuffle shuffle(String stage, int sampled, int tasks) {
    return new Redrawing.MeasuredShuffle(
        stage, "join", List.of("e-" + stage), sampled, tasks, 3, List.of());
  }

  private boolean add(String stage, int task, long startedMillis, long... bytes) {
    int sampled = stage.equals("left") ? 2 : 1;
    return addOf(stage, task, sampled, stage.equals("left") ? 10 : 1, startedMillis, bytes);
  }

  private boolean addOf(
      String stage, int task, int sampled, int tasks, long startedMillis, long... bytes) {
    return collector.add(
        new MeasuredSizes(
            "sizes",
            stage,
            "join",
            task,
            sampled,
            tasks,
            startedMillis,
            10L * task,
            SizeHistogram.of("sizes", bytes).toBytes()));
  }

  @Test
  void theLastTaskCompletesTheMessage() {
    assertThat(add("left", 2, 70, 1, 0, 3)).isFalse();
    assertThat(add("right", 0, 50, 0, 9, 0)).isFalse();
    assertThat(add("left", 7, 60, 10, 0, 0)).isTrue();
    assertThat(collector.startedMillis()).isEqualTo(50);
    assertThat(collector.millis()).containsExactly(List.of(20L, 70L), List.of(0L));
    assertThat(collector.message())
        .isEqualTo(
            new ShuffleSizes(
                "sizes",
                List.of(
                    new ShuffleSizes.Shuffle(
                        List.of("e-left"), SizeHistogram.of("sizes", new long[] {11, 0, 3}), 2, 10),
                    new ShuffleSizes.Shuffle(
                        List.of("e-right"),
                        SizeHistogram.of("sizes", new long[] {0, 9, 0}),
                        1,
                        1))));
  }

  @Test
  void aTaskThatWasRunAgainCountsOnce() {
    add("left", 2, 0, 1, 0, 3);
    assertThat(add("left", 2, 0, 5, 5, 5)).isFalse();
    add("right", 0, 0, 0, 0, 0);
    assertThat(add("left", 3, 0, 1, 1, 1)).isTrue();
    assertThat(add("left", 3, 0, 1, 1, 1)).isFalse();
    assertThat(collector.message().shuffles().get(0).sampled())
        .isEqualTo(SizeHistogram.of("sizes", new long[] {2, 1, 4}));
  }

  @Test
  void aStageThatGotFewerTasksIsCompleteWithThese() {
    add("right", 0, 0, 1, 1, 1);
    assertThat(addOf("left", 0, 1, 1, 0, 1, 1, 1)).isTrue();
    assertThat(collector.message().shuffles().get(0).sampledTasks()).isEqualTo(1);
    assertThat(collector.message().shuffles().get(0).tasks()).isEqualTo(1);
  }

  @Test
  void whatNobodyAskedForIsRefused() {
    assertThatThrownBy(() -> add("middle", 0, 0, 1, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("stage middle measured what it sends to join for message sizes");
  }
}
