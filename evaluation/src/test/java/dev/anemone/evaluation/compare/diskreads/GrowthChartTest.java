// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.diskreads;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowthChartTest {
  @TempDir private Path directory;

  @Test
  void drawsEveryPolicyAndTheReferences() throws Exception {
    Path file = directory.resolve("seeks.png");

    GrowthChart.draw(
        Stream.of(50, 200, 500)
            .flatMap(
                tasks -> Stream.of(run("Default", tasks, tasks * tasks), run("Large", tasks, 0)))
            .toList(),
        file);

    BufferedImage image = ImageIO.read(file.toFile());
    assertThat(colours(image)).as("lines beside black, gray and white").isGreaterThan(2);
  }

  private static DiskReadsFigures.Run run(String policy, int tasks, long seeks) {
    return new DiskReadsFigures.Run(
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
