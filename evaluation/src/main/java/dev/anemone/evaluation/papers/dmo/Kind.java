// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.dmo;

import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.job.RankedGraph;
import dev.anemone.evaluation.papers.job.RankedVertices;
import dev.anemone.evaluation.papers.job.SortedRecords;
import dev.anemone.evaluation.papers.job.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The workloads of the figures, in the order of their letters, and what stands in for them. */
enum Kind {
  SORT("a", "TeraSort", 334.2 / 600),
  RANK("b", "price protection", 57.6 / 726.9),
  JOIN("c", "data warehouse", 234.7 / 200);

  private final String letter;
  private final String paper;
  private final double shuffledByInput;

  Kind(String letter, String paper, double shuffledByInput) {
    this.letter = letter;
    this.paper = paper;
    this.shuffledByInput = shuffledByInput;
  }

  String letter() {
    return letter;
  }

  /** What the paper has. */
  String paper() {
    return paper;
  }

  /** How many times its input the paper's shuffles, by Table III. */
  double shuffledByInput() {
    return shuffledByInput;
  }

  /**
   * How much is run, and with how much memory.
   *
   * @param tasks that sort: each reads a part of what every task that reads records has written
   */
  record Size(
      int megabytes, int tasks, int vertices, double scale, List<Memory> memory, int rounds) {
    static final Size SMALL =
        new Size(
            300,
            32,
            10_000,
            0.1,
            List.of(
                new Memory(384, 384),
                new Memory(192, 128),
                new Memory(128, 64),
                new Memory(96, 64),
                new Memory(96, 48),
                new Memory(80, 32)),
            1);

    static final Size FULL =
        new Size(
            3000,
            100,
            100_000,
            1,
            List.of(
                new Memory(3072, 3072),
                new Memory(1536, 1536),
                new Memory(768, 768),
                new Memory(384, 384),
                new Memory(192, 128),
                new Memory(128, 64)),
            3);
  }

  Workload workload(FigureRun figures, Path directory, Size size)
      throws IOException, InterruptedException {
    return switch (this) {
      case SORT -> SortedRecords.make(figures, directory, size.megabytes()).inTasks(size.tasks());
      case RANK ->
          new RankedVertices(new RankedGraph(size.vertices(), 10), directory.resolve("ranked"));
      case JOIN -> JoinedTables.of(figures, directory.resolve("report.json"), size.scale());
    };
  }
}
