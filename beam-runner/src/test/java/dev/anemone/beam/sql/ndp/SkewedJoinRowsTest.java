// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.sql.ndp.SkewedTable.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Joins in columns give the same rows, no row twice and none lost, whatever is divided. */
@Tag("slow")
class SkewedJoinRowsTest {

  private static final int ROWS = 1_600;

  private static Path directory;

  @BeforeContainer
  static void makeDirectory() throws IOException {
    directory = Files.createTempDirectory("skewed-joins");
  }

  @AfterContainer
  static void deleteDirectory() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Property(tries = 3, shrinking = ShrinkingMode.OFF)
  void rowsAreThoseOfDuckDb(
      @ForAll @DoubleRange(min = 0.3, max = 0.95) double hot,
      @ForAll boolean ofNoKey,
      @ForAll boolean relays,
      @ForAll boolean sampled,
      @ForAll long seed)
      throws Exception {
    Optional<Integer> hotKey = ofNoKey ? Optional.empty() : Optional.of(7);
    List<String> queries = Arrays.stream(Kind.values()).map(Kind::query).toList();
    try (SkewedTable table = new SkewedTable(directory, ROWS, hot, hotKey, seed)) {
      Map<String, List<String>> rows =
          SkewedJoinsTest.runs(
                  table,
                  relays ? "SamplingLargeShuffleSkew" : "DataSkew",
                  "--passOptions=measureAllUpTo=" + (sampled ? 1 : 32))
              .run(queries);
      for (String query : queries) {
        assertThat(rows.get(query)).as(query).isEqualTo(table.answer(query));
      }
    }
  }
}
