// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpcds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.examples.sql.BenchmarkOptions;
import dev.anemone.examples.sql.QueryPipeline;
import dev.anemone.examples.sql.QueryResult;
import dev.anemone.examples.tables.DataSet;
import dev.anemone.examples.tables.DuckDb;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The queries on NemoRunner give what DuckDB gives for the same text on the same files. With more
 * data, as by {@code mvn verify -Danemone.tpcds.scale=1}, fewer answers are empty.
 */
@Tag("slow")
class TpcdsQueriesTest {

  private static final List<String> TABLES =
      List.of(
          "--tables=NDP",
          "--tables=PCOLLECTIONS",
          "--tables=NDP --columnar=distributed --passOptions=keepExchanges=true");

  private static final double SMALL = 0.01;
  private static final double SCALE =
      Double.parseDouble(System.getProperty("anemone.tpcds.scale", String.valueOf(SMALL)));

  /** So little data has no row that these ask for. */
  private static final Set<String> EMPTY =
      Set.of(
          "8", "10", "23b", "24a", "24b", "31", "37", "39b", "41", "44", "54", "58", "64", "82",
          "83", "84", "85", "91", "93");

  /** And none that these can divide by. */
  private static final String DIVIDE_BY_ZERO = "12,90";

  private static DataSet dataSet;
  private static DuckDb duckDb;

  @BeforeAll
  static void open() throws IOException, SQLException {
    Path directory = Path.of("target", "tpcds", "scale-" + SCALE).toAbsolutePath();
    dataSet = Tpcds.open(directory.toString(), SCALE);
    duckDb = DuckDb.withCopies(dataSet);
  }

  @AfterAll
  static void close() throws SQLException {
    duckDb.close();
  }

  static Stream<TpcdsQuery> queries() {
    return TpcdsQuery.ALL.stream()
        .filter(query -> SCALE > SMALL || !dividingByZero().toList().contains(query));
  }

  @ParameterizedTest(name = "query {0}")
  @MethodSource("queries")
  void givesTheAnswerOfDuckDb(TpcdsQuery query) throws IOException, SQLException {
    DuckDbAnswer answer = DuckDbAnswer.of(query.sql(), duckDb);

    if (SCALE == SMALL) {
      assertThat(answer.rows().isEmpty()).isEqualTo(EMPTY.contains(query.name()));
    }
    answer.assertGivenBy(run(query));
  }

  static Stream<TpcdsQuery> dividingByZero() {
    return TpcdsQuery.parse(DIVIDE_BY_ZERO).stream();
  }

  @ParameterizedTest(name = "query {0}")
  @MethodSource("dividingByZero")
  void aDivisionByZeroIsAnErrorAsInDuckDb(TpcdsQuery query) {
    if (SCALE == SMALL) {
      assertThatThrownBy(() -> DuckDbAnswer.of(query.sql(), duckDb))
          .hasMessageContaining("Division by zero");
      assertThatThrownBy(() -> run(query)).hasStackTraceContaining("by zero");
    }
  }

  static Stream<Arguments> queriesAndTables() {
    return TABLES.stream().flatMap(tables -> queries().map(query -> Arguments.of(query, tables)));
  }

  /** Takes many minutes: {@code mvn verify -Pnightly}. */
  @ParameterizedTest(name = "query {0} with {1}")
  @MethodSource("queriesAndTables")
  @EnabledIfSystemProperty(named = "anemone.tpcds.tables", matches = "all")
  void givesTheAnswerOfDuckDbHoweverTablesAreRead(TpcdsQuery query, String tables)
      throws IOException, SQLException {
    DuckDbAnswer.of(query.sql(), duckDb).assertGivenBy(run(query, tables.split(" ")));
  }

  static Stream<Arguments> someQueriesAndTables() {
    return TABLES.stream()
        .flatMap(
            tables ->
                TpcdsQuery.parse("5,44,75").stream().map(query -> Arguments.of(query, tables)));
  }

  @ParameterizedTest(name = "query {0} with {1}")
  @MethodSource("someQueriesAndTables")
  void readsTablesInSeveralWays(TpcdsQuery query, String tables) throws IOException, SQLException {
    DuckDbAnswer.of(query.sql(), duckDb).assertGivenBy(run(query, tables.split(" ")));
  }

  private static QueryResult run(TpcdsQuery query, String... arguments) throws IOException {
    String[] all =
        Stream.concat(Stream.of("--runner=NemoRunner"), Stream.of(arguments))
            .toArray(String[]::new);
    return Tpcds.run(
        query,
        dataSet,
        PipelineOptionsFactory.fromArgs(QueryPipeline.withPlanner(all)).as(BenchmarkOptions.class));
  }
}
