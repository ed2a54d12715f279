// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolfuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolFuzzTest {
  private static final int FRAMES = 4_000;

  @TempDir private Path directory;

  @Test
  void damagedFramesHarmNobody() throws Exception {
    Trial trial = Trial.of(directory, "pool-fuzz", "--frames=" + FRAMES, "--seed=8");
    PoolFuzz.Figures figures = trial.figures(PoolFuzz.Figures.class);

    assertThat(figures.wrong()).isEmpty();
    assertThat(figures.sent()).containsOnlyKeys(FrameMutations.Kind.values());
    assertThat(figures.sent().values().stream().mapToInt(Integer::intValue).sum())
        .isEqualTo(FRAMES);
    assertThat(trial.out()).contains("Wrong: nothing");
  }

  @Test
  void aSeedStandsForItsFrames() {
    assertThat(frames(5)).isEqualTo(frames(5)).isNotEqualTo(frames(6));
  }

  private static List<ByteBuffer> frames(long seed) {
    FrameMutations mutations = new FrameMutations(seed, List.of(new byte[100], new byte[40]));
    return IntStream.range(0, 50).mapToObj(i -> mutations.next().bytes()).toList();
  }
}
