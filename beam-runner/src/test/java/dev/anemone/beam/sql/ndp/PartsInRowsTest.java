// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.sql.AnemoneQueryPlanner;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.sql.BeamSqlUdf;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the explanation says of parts of queries that are run in rows. */
class PartsInRowsTest {

  @TempDir private static Path directory;
  private static NdpFiles files;

  @BeforeAll
  static void write() throws Exception {
    files = new NdpFiles(directory);
  }

  @AfterAll
  static void close() throws Exception {
    files.close();
  }

  @Test
  void aFunctionOfTheUserIsNamedOnce() {
    Pipeline pipeline = pipeline();
    pipeline.apply(
        "Shorts",
        query("SELECT shortened(flag) AS f, COUNT(*) AS n FROM t GROUP BY shortened(flag)"));

    assertThat(explanation(pipeline))
        .containsOnlyOnce("note: ")
        .contains(
            "== Columns: unchanged\n"
                + "note: a part of 'Shorts' runs in rows, because of shortened($");
  }

  @Test
  void ofAJoinTheSideInRowsIsNamed() {
    Pipeline pipeline = pipeline();
    pipeline.apply(
        "Join",
        query("SELECT a.id FROM t a JOIN (SELECT shortened(flag) AS f FROM t) b ON a.mode = b.f"));

    assertThat(explanation(pipeline))
        .contains("note: a part of 'Join' runs in rows, because of shortened($");
  }

  @Test
  void aTableThatIsNotReadInSplitsIsNamed() {
    Pipeline pipeline = pipeline();
    PCollection<Row> rows = pipeline.apply("Table", query("SELECT * FROM t"));
    PCollectionTuple.of("c", rows)
        .apply(
            "Count",
            SqlTransform.query("SELECT COUNT(*) AS n FROM c")
                .withQueryPlannerClass(AnemoneQueryPlanner.class));

    assertThat(explanation(pipeline))
        .contains(
            "note: a part of 'Count' runs in rows, because of the table beam.c, which is not read"
                + " in splits");
  }

  @Test
  void ofAQueryInColumnsNothingIsSaid() {
    Pipeline pipeline = pipeline();
    pipeline.apply("Count", query("SELECT flag, COUNT(*) AS n FROM t GROUP BY flag"));

    assertThat(explanation(pipeline)).doesNotContain("== Columns");
  }

  private static Pipeline pipeline() {
    return new NdpRuns(files.ddl("parquet"), "--explainOnly=true", "--explain=text").pipeline();
  }

  private static SqlTransform query(String query) {
    return SqlTransform.query(query)
        .withDdlString(files.ddl("parquet"))
        .withQueryPlannerClass(AnemoneQueryPlanner.class)
        .registerUdf("shortened", Shortened.class);
  }

  static String explanation(Pipeline pipeline) {
    PrintStream standardOutput = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      pipeline.run().waitUntilFinish();
    } finally {
      System.setOut(standardOutput);
    }
    return printed.toString(UTF_8);
  }

  /** A function that no engine knows. */
  public static final class Shortened implements BeamSqlUdf {
    private static final long serialVersionUID = 1;

    public static String eval(String text) {
      return text.substring(0, 1);
    }
  }
}
