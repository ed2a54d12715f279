// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.examples.tpch.Tpch;
import dev.anemone.examples.tpch.TpchQuery;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueryRunsTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private PrintStream standardOut;
  private PrintStream standardErr;

  @TempDir private Path directory;

  @BeforeEach
  void captureTheStreams() {
    standardOut = System.out;
    standardErr = System.err;
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void restoreTheStreams() {
    System.setOut(standardOut);
    System.setErr(standardErr);
  }

  @Test
  void severalQueriesRunOneAfterTheOther() throws Exception {
    Tpch.main(arguments("6,1"));

    assertThat(text(out)).containsSubsequence("Query 6\n", "revenue\n", "Query 1\n", "sum_qty");
    assertThat(text(err))
        .containsPattern("Query 6 on .*scale-0.01: 1 rows in [0-9.]+ s\n")
        .containsPattern("    6 +[0-9.]+\n    1 +[0-9.]+\ngeometric mean of 2: [0-9.]+ s\n");
    assertThat(directory.resolve("q06.csv")).content().startsWith("revenue\n");
    assertThat(directory.resolve("q01.csv")).content().startsWith("l_returnflag,l_linestatus,");
  }

  @Test
  void aQueryThatFailsIsReportedAndTheOthersRun() {
    // No planner knows how to plan this way, and Beam looks it up query by query.
    String[] arguments = arguments("1,6");
    arguments[arguments.length - 1] = "--plannerName=com.example.NoPlanner";

    assertThatThrownBy(() -> Tpch.main(arguments))
        .isInstanceOf(FailedQueriesException.class)
        .hasMessage("2 of 2 queries failed: 1, 6")
        .hasCauseInstanceOf(RuntimeException.class);
    assertThat(text(err))
        .containsSubsequence(
            "Query 1 failed: ", "com.example.NoPlanner", "Query 6 failed: ", "    1   failed\n");
  }

  @Test
  void failedQueriesDoNotCountInTheMean() {
    Map<TpchQuery, Double> seconds = new LinkedHashMap<>();
    seconds.put(TpchQuery.byNumber(1), 2.0);
    seconds.put(TpchQuery.byNumber(22), 8.0);

    assertThat(QueryRuns.times(seconds, Map.of(TpchQuery.byNumber(5), new IllegalStateException())))
        .isEqualTo(
            """
            query  seconds
            -----  -------
                1     2.00
               22     8.00
                5   failed
            geometric mean of 2: 4.00 s
            """);
  }

  private String[] arguments(String queries) {
    return List.of(
            "--runner=NemoRunner",
            "--query=" + queries,
            "--scale=0.01",
            "--data=" + Path.of("target", "tpch", "scale-0.01").toAbsolutePath(),
            "--output=" + directory,
            "--progress=off")
        .toArray(new String[0]);
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }
}
