// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.runners.TransformHierarchy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of analytic functions go to several tasks, by what they are partitioned by. */
class AnalyticPartitionsTest {

  private static final String SAME =
      "SELECT id, RANK() OVER (PARTITION BY flag ORDER BY price) AS r, SUM(small) OVER (PARTITION BY"
          + " mode, flag) AS s, COUNT(*) OVER (PARTITION BY flag ORDER BY id + 1) AS n FROM t";
  private static final String OTHERS =
      "SELECT id, RANK() OVER (PARTITION BY flag ORDER BY price) AS r, SUM(small) OVER (PARTITION BY"
          + " mode) AS s FROM t";
  private static final String ALL = "SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS n FROM t";

  @TempDir private static Path directory;
  private static NdpFiles files;

  @BeforeAll
  static void write() throws Exception {
    files = new NdpFiles(directory, 3_000);
  }

  @AfterAll
  static void close() throws Exception {
    files.close();
  }

  @Test
  void ofTables() {
    NdpRuns runs = new NdpRuns(files.ddl("parquet"), "--columnar=distributed");
    assertThat(exchanges(runs, SAME)).singleElement().asString().startsWith("x0 hash(flag");
    assertThat(exchanges(runs, OTHERS))
        .satisfiesExactly(
            first -> assertThat(first).startsWith("x0 hash(flag"),
            second -> assertThat(second).startsWith("x1 hash(mode"));
    assertThat(exchanges(runs, ALL)).containsExactly("x0 gather");
  }

  /** Decimals without declared digits are gathered, or divided, as rows. */
  @Test
  void ofCollections() {
    NdpRuns runs = NdpRuns.overCollection(files.ddl("parquet"));
    assertThat(steps(runs, SAME)).contains("Partition").doesNotContain("Gather");
    assertThat(steps(runs, ALL)).contains("Gather").doesNotContain("Partition");
  }

  @Test
  void giveWhatDuckDbGives() throws Exception {
    for (NdpRuns runs :
        List.of(
            new NdpRuns(files.ddl("parquet"), "--slots=2", "--columnar=distributed"),
            NdpRuns.overCollection(files.ddl("parquet"), "--slots=2"))) {
      for (String query : List.of(SAME, OTHERS)) {
        assertThat(runs.run(List.of(query)).get(query))
            .as(query)
            .isEqualTo(files.answer(query))
            .isNotEmpty();
      }
    }
  }

  private static List<String> exchanges(NdpRuns runs, String query) {
    return steps(runs, query).stream()
        .filter(step -> step.matches("x\\d+ (hash|gather).*"))
        .toList();
  }

  /** The last parts of the names of all steps. */
  private static List<String> steps(NdpRuns runs, String query) {
    Pipeline pipeline = runs.pipeline();
    runs.apply(pipeline, "Query", query);
    List<String> found = new ArrayList<>();
    pipeline.traverseTopologically(
        new Pipeline.PipelineVisitor.Defaults() {
          @Override
          public CompositeBehavior enterCompositeTransform(TransformHierarchy.Node node) {
            String name = node.getFullName();
            found.add(name.substring(name.lastIndexOf('/') + 1));
            return CompositeBehavior.ENTER_TRANSFORM;
          }
        });
    return found;
  }
}
