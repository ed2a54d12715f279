// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.job;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.examples.pagerank.PageRank;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * PageRank of a random graph whose in-edges are by a power law.
 *
 * @param vertices that there may be
 * @param iterations how often ranks are handed on
 */
public record RankedGraph(int vertices, int iterations) {
  /** What ranks it. */
  public static final Class<?> PROGRAM = PageRank.class;

  /** As the graph of Twitter has them. */
  private static final int EDGES_PER_VERTEX = 37;

  private static final double ROUNDING = 1e-6;

  /** How many edges there are, equal ones included. */
  public long edges() {
    return (long) vertices * EDGES_PER_VERTEX;
  }

  /** Arguments of the program. */
  public List<String> arguments(Path ranked) {
    return List.of(
        "--generate=" + vertices + "," + edges(),
        "--iterations=" + iterations,
        "--output=" + ranked.resolve("ranks"));
  }

  /**
   * Removes a result; fails when its ranks do not sum to 1, or are not of all vertices: with so
   * many edges for each there is none without.
   */
  public void check(Path ranked, String side) throws IOException {
    double sum = 0;
    long found = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(ranked, "ranks-*")) {
      for (Path file : files) {
        for (String line : Files.readAllLines(file)) {
          sum += Double.parseDouble(line.substring(line.indexOf(' ') + 1));
          found++;
        }
      }
    }
    FileTrees.delete(ranked);
    if (found != vertices || Math.abs(sum - 1) > ROUNDING) {
      throw new ExperimentFailure(
          "PageRank with %s is wrong, so its figures mean nothing: %d of %d vertices have ranks,"
              + " whose sum is %s and not 1.",
          side, found, vertices, sum);
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "PageRank of %,d vertices and %,d edges by a power law, %d iterations",
        vertices,
        edges(),
        iterations);
  }
}
