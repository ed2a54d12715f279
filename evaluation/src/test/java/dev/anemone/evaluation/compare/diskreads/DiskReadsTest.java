// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.diskreads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, with few tasks. */
class DiskReadsTest {
  private static final int TASKS = 6;

  @TempDir private Path directory;

  @Test
  @Tag("nightly")
  void readsGrowWithTheProductOfTheTasksAndWithBatchingWithTheConsumersAlone() throws Exception {
    Trial trial =
        Trial.of(
            directory,
            "disk-reads",
            "--parallelism=" + TASKS,
            "--heap=512m",
            "--nemo-option=--slots=2");
    DiskReads.Figures figures = trial.figures(DiskReads.Figures.class);

    assertThat(figures.runs())
        .extracting(DiskReads.Run::policy)
        .containsExactly("Default", "LargeShuffle");
    DiskReads.Run unbatched = figures.runs().get(0);
    DiskReads.Run batched = figures.runs().get(1);
    assertThat(unbatched.seeks()).isEqualTo(TASKS * TASKS).isEqualTo(unbatched.blocks());
    assertThat(batched.seeks()).isBetween((long) TASKS, 2L * TASKS);
    assertThat(batched.pushedBytes() + batched.fallenBackBytes())
        .as("all bytes went to aggregation tasks")
        .isGreaterThanOrEqualTo(batched.shuffledBytes());
    assertThat(batched.readBytes()).isGreaterThanOrEqualTo(batched.shuffledBytes());

    assertThat(trial.out())
        .contains("2,000 bytes from each producer for each consumer")
        .containsPattern("\\| Default +\\| +6 \\| +6 \\| +36 \\|")
        .containsPattern("\\| LargeShuffle +\\| +6 \\| +6 \\| +36 \\|");
    assertThat(trial.err()).contains("6 x 6, Default: 36 seeks");
    assertThat(trial.results().resolve(DiskReads.CHART_FILE)).isNotEmptyFile();
  }

  @Test
  void drawsEveryPolicyAndTheReferences() throws Exception {
    Path file = directory.resolve("seeks.png");
    DiskReads.draw(
        Stream.of(50, 200, 500)
            .flatMap(
                tasks -> Stream.of(run("Default", tasks, tasks * tasks), run("Large", tasks, 0)))
            .toList(),
        file);
    BufferedImage image = ImageIO.read(file.toFile());
    assertThat(colours(image)).as("lines beside black, gray and white").isGreaterThan(2);
  }

  private static DiskReads.Run run(String policy, int tasks, long seeks) {
    return new DiskReads.Run(
        policy, tasks, tasks, 1_000, 1, seeks, seeks, 1_000, 0, 0, 0, new TreeMap<>());
  }

  private static long colours(BufferedImage image) {
    int width = image.getWidth();
    int height = image.getHeight();
    return Arrays.stream(image.getRGB(0, 0, width, height, null, 0, width))
        .filter(rgb -> (rgb & 0xff) != ((rgb >> 8) & 0xff))
        .distinct()
        .count();
  }
}
