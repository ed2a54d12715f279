// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.pagerank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.beam.sdk.values.KV;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageRankTest {
  private static final double TOLERANCE = 1e-9;

  @TempDir private Path directory;

  @Test
  void ranksARandomGraphAsItsDefinitionDoes() throws IOException {
    RandomGraph graph = new RandomGraph(500, 2_000, 7);
    Map<String, Double> expected = InMemoryPageRank.of(edges(graph), 5, 0.85);

    run("--generate=500,2000", "--seed=7", "--iterations=5", "--parallelism=3");

    Map<String, Double> ranks = ranks();
    assertThat(ranks).hasSameSizeAs(expected);
    expected.forEach(
        (vertex, rank) -> assertThat(ranks.get(vertex)).isCloseTo(rank, within(TOLERANCE)));
    assertThat(ranks.values().stream().mapToDouble(rank -> rank).sum())
        .isCloseTo(1, within(TOLERANCE));
  }

  /**
   * After one step from a third each: what b has goes to all, c has half of a, and a has the other
   * half and all of c.
   */
  @Test
  void readsNamesCommentsAndEqualEdges() throws IOException {
    Path edges = directory.resolve("edges.txt");
    Files.writeString(edges, "# from to\n\na b\na\tc\n a  b \nc a\n");

    run("--input=" + edges, "--iterations=1", "--damping=0.5");

    assertThat(ranks().keySet()).containsExactlyInAnyOrder("a", "b", "c");
    double everywhere = 0.5 / 3 + 0.5 / 9;
    assertThat(ranks().get("a")).isCloseTo(everywhere + 0.5 / 3, within(TOLERANCE));
    assertThat(ranks().get("b")).isCloseTo(everywhere + 0.5 / 6, within(TOLERANCE));
    assertThat(ranks().get("c")).isCloseTo(everywhere + 0.5 / 6, within(TOLERANCE));
  }

  @Test
  void aGraphWithoutEdgesHasNoRanks() throws IOException {
    Path edges = Files.writeString(directory.resolve("edges.txt"), "# nothing\n");
    run("--input=" + edges, "--iterations=2");
    assertThat(ranks()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"alone", "a b c"})
  void aLineThatIsNoEdgeIsShown(String line) throws IOException {
    Path edges = Files.writeString(directory.resolve("edges.txt"), "a b\n" + line + "\n");
    assertThatThrownBy(() -> run("--input=" + edges, "--iterations=1"))
        .hasStackTraceContaining("The line '" + line + "' is no edge");
    assertThat(ranks()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--seed=1|The graph is to be given once",
        "--input=README.md --generate=3,3|The graph is to be given once",
        "--generate=3|--generate=3 is not of the form VERTICES,EDGES",
        "--generate=0,3|--generate=0,3 is not of the form VERTICES,EDGES",
        "--generate=3,3 --iterations=0|--iterations=0 is out of range",
        "--generate=3,3 --iterations=101|--iterations=101 is out of range",
        "--generate=3,3 --damping=1.5|--damping=1.5 is out of range",
        "--generate=3,3 --damping=NaN|--damping=NaN is out of range",
        "--input=/no/such/file|--input=/no/such/file: no such file",
      })
  void wrongOptionsAreNamedBeforeAnythingRuns(String arguments, String message) {
    assertThatThrownBy(() -> run(arguments.split(" ", -1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
    assertThat(directory).isEmptyDirectory();
  }

  static List<KV<String, String>> edges(RandomGraph graph) {
    return LongStream.range(0, graph.edges()).mapToObj(graph::edge).toList();
  }

  private void run(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--runner=NemoRunner");
    all.add("--output=" + directory.resolve("ranks"));
    PageRank.main(all.toArray(new String[0]));
  }

  private Map<String, Double> ranks() throws IOException {
    return ranks(directory);
  }

  /** What lies in the files {@code ranks-...} of a directory. */
  static Map<String, Double> ranks(Path directory) throws IOException {
    Map<String, Double> ranks = new HashMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file :
          files.filter(f -> f.getFileName().toString().startsWith("ranks-")).toList()) {
        for (String line : Files.readAllLines(file)) {
          int space = line.indexOf(' ');
          Double earlier =
              ranks.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
          assertThat(earlier).as("an earlier line like " + line).isNull();
        }
      }
    }
    return ranks;
  }
}
