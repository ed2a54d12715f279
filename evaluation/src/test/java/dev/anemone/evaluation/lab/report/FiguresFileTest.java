// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FiguresFileTest {
  private record Figures(String name, List<Summary> summaries) {}

  @TempDir private Path directory;

  @Test
  void replacesTheFiguresOfAnEarlierExperiment() throws Exception {
    Path file = directory.resolve("figures.json");
    Figures figures = new Figures("second", List.of(new Summary(2, 1, 3)));

    FiguresFile.write(
        file,
        new Figures(
            "a first one, longer", List.of(new Summary(1, 1, 1), figures.summaries().get(0))));
    FiguresFile.write(file, figures);

    assertThat(new ObjectMapper().readValue(file.toFile(), Figures.class)).isEqualTo(figures);
  }
}
