// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.job;

import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * PageRank: its links are written once and read in every iteration, as persisted data is.
 *
 * @param ranked where the result is
 */
public record RankedVertices(RankedGraph graph, Path ranked) implements Workload {
  /** Two numbers and what divides them, as a text would have. */
  private static final int BYTES_PER_EDGE = 14;

  @Override
  public String describe() {
    return graph.toString();
  }

  @Override
  public long inputBytes() {
    return graph.edges() * BYTES_PER_EDGE;
  }

  @Override
  public Class<?> program() {
    return RankedGraph.PROGRAM;
  }

  @Override
  public List<String> arguments() {
    return Arguments.of("--runner=NemoRunner", graph.arguments(ranked));
  }

  @Override
  public void check(String side) throws IOException {
    graph.check(ranked, side);
  }

  @Override
  public void close() throws IOException {
    FileTrees.delete(ranked);
  }
}
