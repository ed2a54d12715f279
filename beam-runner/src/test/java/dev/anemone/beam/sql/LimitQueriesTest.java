// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.sql.LimitQueries.Query;
import dev.anemone.beam.sql.LimitQueries.Trait;
import dev.anemone.beam.sql.random.QuerySeeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random queries over values at the limits of their types yield in rows, in columns, and in columns
 * that are exchanged, what Calcite's own engine yields, or fail as it does. The system properties
 * are those of {@link RandomQueriesTest}.
 */
@Tag("slow")
class LimitQueriesTest {

  /** Queries on the same tables. */
  private static final int TOGETHER = 20;

  /** Of a hundred queries, those that the planner, or Calcite's engine, may not know. */
  private static final int MOST_UNKNOWN = 40;

  private static final Pattern CONSTANT_CASE =
      Pattern.compile("THEN (TRUE|FALSE|NULL) ELSE (TRUE|FALSE|NULL) END");

  @TempDir private static Path directory;

  /** What came of a query where it was run, by the name of the place. */
  record Compared(Query query, Map<String, Outcome> ours, Outcome calcite) {

    Outcome rows() {
      return ours.values().iterator().next();
    }

    /** Why the outcomes are not those that are wanted, empty if they are. */
    String fault(boolean odd) {
      Outcome wanted =
          ours.values().stream().filter(there -> !there.isNumeric()).findFirst().orElse(rows());
      // If all of them fail, it may be of different rows.
      for (Map.Entry<String, Outcome> place : ours.entrySet()) {
        Outcome there = place.getValue();
        // Of decimals, rows keep more than 38 digits.
        boolean tooManyDigits =
            query.is(Trait.DECIMALS)
                && there.kind() == Outcome.Kind.OVERFLOW
                && !rows().isFailure();
        if (there.kind() == Outcome.Kind.FAILED
            || (!tooManyDigits
                && !(there.isNumeric() && (wanted.isNumeric() || mayBeLeftOut(there)))
                && !(there.kind() == wanted.kind() && there.rows().equals(wanted.rows())))) {
          return place.getKey();
        }
      }
      return hasOracle(odd) && !rows().isLike(calcite) ? "calcite" : "";
    }

    /**
     * Whether what failed in one place need not be computed in another: nobody may ask for it, or a
     * limit, an intersection or the empty side of a join may leave its row out. A quotient that
     * stands beside its guard never fails.
     */
    private boolean mayBeLeftOut(Outcome failure) {
      boolean guarded = query.is(Trait.GUARDED) && failure.kind() == Outcome.Kind.DIVISION_BY_ZERO;
      return query.is(Trait.LIMITED) || (query.is(Trait.NESTED) && !guarded);
    }

    /** Whether Calcite's engine means what we do. */
    boolean hasOracle(boolean odd) {
      return calcite.kind() != Outcome.Kind.FAILED
          && rows().kind() != Outcome.Kind.REFUSED
          && !(calcite.isFailure() ? failsElsewhere() : rows().isNumeric() && mayFailHere())
          && !meansOther()
          && !((odd || query.is(Trait.ODD)) && query.is(Trait.COMPARES));
    }

    /**
     * Whether Calcite's engine may have computed a quotient before it looked at the condition that
     * is to keep it from that, or what nobody asks for: a CASE of constants may be compared with
     * one that it never equals.
     */
    private boolean failsElsewhere() {
      boolean decided = query.sql().contains(" OR ") || query.sql().contains(" FILTER (WHERE ");
      // Which is true of each count.
      boolean counted = query.sql().contains(" HAVING COUNT(");
      return query.is(Trait.GUARDED)
          || query.is(Trait.NESTED)
          || query.is(Trait.LIMITED)
          || decided
          || counted
          || CONSTANT_CASE.matcher(query.sql()).find();
    }

    /** Whether it is right to fail where Calcite's engine does not. */
    private boolean mayFailHere() {
      // The absolute value of the least whole number is that number there.
      boolean wraps = query.sql().contains("ABS(") && rows().kind() == Outcome.Kind.OVERFLOW;
      // What rows leave to columns.
      boolean tooManyDigits =
          query.is(Trait.DECIMALS) && rows().message().contains("NdpEngineException");
      boolean tooWide = rows().message().contains("more than the 38 that a decimal");
      // A condition may be asked of rows that a join leaves out, unless another one guards it.
      boolean beforeJoin = query.is(Trait.NESTED) && !query.is(Trait.GUARDED);
      return wraps || tooManyDigits || tooWide || beforeJoin;
    }

    /** Whether the query has something that yields other values in Calcite's engine. */
    private boolean meansOther() {
      // Of texts it counts units of UTF-16, and cuts characters of two in half.
      boolean halves = query.sql().contains("SUBSTRING(");
      // It rounds decimals where we, as for doubles, leave the fraction out.
      boolean rounds = query.sql().contains(" AS BIGINT)");
      // 0.1 and 0.10 are two elements of a set there.
      boolean scales = query.is(Trait.SET) && query.is(Trait.DECIMALS);
      boolean noTotal = query.is(Trait.TOTAL) && !calcite.isFailure() && calcite.rows().isEmpty();
      return halves || rounds || scales || noTotal;
    }

    @Override
    public String toString() {
      return query.sql()
          + "\n  calcite: "
          + calcite
          + ours.entrySet().stream()
              .map(place -> "\n  " + place.getKey() + ": " + place.getValue())
              .collect(Collectors.joining());
    }
  }

  @TestFactory
  Stream<DynamicTest> yieldWhatCalciteYields() {
    return QuerySeeds.tests(40, TOGETHER, LimitQueriesTest::compare);
  }

  private static void compare(long seed) throws Exception {
    List<Compared> all = outcomes(seed, Files.createDirectory(directory.resolve("seed" + seed)));
    boolean odd = LimitTables.areOdd(seed);
    assertThat(all.stream().filter(one -> !one.fault(odd).isEmpty()))
        .as("wrong answers of seed " + seed)
        .isEmpty();
    assertThat(all.stream().filter(one -> isUnknown(one)))
        .as("queries that are not known")
        .hasSizeLessThanOrEqualTo(TOGETHER * MOST_UNKNOWN / 100);
  }

  private static boolean isUnknown(Compared one) {
    return one.rows().kind() == Outcome.Kind.REFUSED || one.calcite().kind() == Outcome.Kind.FAILED;
  }

  static List<Compared> outcomes(long seed, Path files) throws Exception {
    Map<String, MemoryTable> tables = LimitTables.of(seed);
    LimitQueries random = new LimitQueries(seed);
    List<Query> queries = Stream.generate(random::next).limit(TOGETHER).distinct().toList();
    CalciteRun calcite = new CalciteRun(tables);
    Map<Query, Outcome> expected = new LinkedHashMap<>();
    for (Query query : queries) {
      expected.put(query, outcome(query, () -> calcite.run(query.sql())));
    }
    Map<String, Map<Query, Outcome>> ours = new LinkedHashMap<>();
    ours.put("rows", run(expected, new SqlRun(Map.copyOf(tables))));
    try (DuckDb duckDb = new DuckDb(tables)) {
      Map<String, BeamSqlTable> parquet = duckDb.parquetTables(tables, files);
      ours.put("columns", run(expected, new SqlRun(parquet)));
      ours.put(
          "exchanged",
          run(
              expected,
              new SqlRun(
                  parquet,
                  "--columnar=distributed",
                  "--exchangePartitions=3",
                  "--passOptions=keepExchanges=true")));
      ours.put("in one stage", run(expected, new SqlRun(parquet, "--columnar=distributed")));
    }
    return queries.stream()
        .map(
            query -> {
              Map<String, Outcome> places = new LinkedHashMap<>();
              ours.forEach((place, outcomes) -> places.put(place, outcomes.get(query)));
              return new Compared(query, places, expected.get(query));
            })
        .toList();
  }

  /** Those that should not fail in one pipeline; when it fails, and the others, each by itself. */
  private static Map<Query, Outcome> run(Map<Query, Outcome> expected, SqlRun run) {
    Map<Query, Outcome> outcomes = new LinkedHashMap<>();
    List<Query> together =
        expected.keySet().stream().filter(query -> !expected.get(query).isFailure()).toList();
    try {
      Map<String, SqlRun.Result> results = run.run(together.stream().map(Query::sql).toList());
      for (Query query : together) {
        outcomes.put(query, outcome(query, () -> results.get(query.sql()).ordered()));
      }
    } catch (RuntimeException | AssertionError failed) {
      outcomes.clear();
    }
    for (Query query : expected.keySet()) {
      outcomes.computeIfAbsent(
          query, alone -> outcome(alone, () -> run.run(alone.sql()).ordered()));
    }
    return outcomes;
  }

  private static Outcome outcome(Query query, Callable<List<List<Object>>> run) {
    return Outcome.of(() -> withOneZero(run.call()), query.is(Trait.ORDERED));
  }

  /** Both zeros are equal: which of them a minimum or a group has, nobody promises. */
  private static List<List<Object>> withOneZero(List<List<Object>> rows) {
    for (List<Object> row : rows) {
      row.replaceAll(value -> value instanceof Double number && number == 0 ? (Object) 0.0 : value);
    }
    return rows;
  }
}
