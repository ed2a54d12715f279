// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.columnar.DistributedRead;
import dev.anemone.beam.sql.AnemoneQueryPlanner;
import dev.anemone.beam.sql.row.CompactRowCoder;
import dev.anemone.beam.sql.row.DecimalDigits;
import dev.anemone.examples.sql.QueryPipeline;
import dev.anemone.examples.sql.QueryResult;
import dev.anemone.examples.sql.SortKey;
import dev.anemone.examples.tables.Answers;
import dev.anemone.examples.tables.DuckDb;
import dev.anemone.examples.tables.TableAccess;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.runners.TransformHierarchy;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The queries on collections whose decimals have declared digits: in columns where that is worth
 * it, in rows else and with {@code --columnar=off}, and always with the answers of DuckDB.
 */
@Tag("slow")
class TpchCollectionsTest {

  /** Without an aggregate of what was joined. */
  private static final List<Integer> IN_ROWS = List.of(1, 6, 15, 20);

  static Stream<TpchQuery> queries() {
    return TpchQuery.ALL.stream();
  }

  @ParameterizedTest(name = "query {0}")
  @MethodSource("queries")
  void giveTheAnswerOfDuckDb(TpchQuery query) throws IOException, SQLException {
    TpchDataSet dataSet = TestData.scale(query.number() == 17 ? 0.1 : 0.01);
    List<List<Object>> expected;
    try (DuckDb duckDb = new DuckDb(dataSet.files())) {
      expected = duckDb.query(query.sql());
    }
    assertThat(expected).isNotEmpty();
    assertThat(expected.get(0)).anyMatch(Objects::nonNull);
    List<Boolean> inColumns = new ArrayList<>();
    for (String columnar : List.of("auto", "off")) {
      QueryResult result =
          QueryPipeline.run(
              PipelineOptionsFactory.fromArgs(
                      "--runner=NemoRunner",
                      "--slots=2",
                      "--columnar=" + columnar,
                      "--plannerName=" + AnemoneQueryPlanner.class.getName())
                  .as(Tpch.Options.class),
              pipeline -> {
                PCollection<Row> rows = ofCollections(pipeline, query, dataSet);
                inColumns.add(runsInColumns(pipeline));
                return rows;
              },
              schema -> SortKey.comparator(query.orderBy()));
      Answers.assertSameRows(result.rows(), expected);
    }
    assertThat(inColumns).containsExactly(!IN_ROWS.contains(query.number()), false);
  }

  private static PCollection<Row> ofCollections(
      Pipeline pipeline, TpchQuery query, TpchDataSet dataSet) {
    PCollectionTuple tables = PCollectionTuple.empty(pipeline);
    for (TpchTable table : TpchTable.values()) {
      if (query.sql().matches("(?s).*\\b" + table.tableName() + "\\b.*")) {
        PCollection<Row> rows =
            TableAccess.SOURCES.query(
                pipeline,
                "Read " + table.tableName(),
                "SELECT * FROM " + table.tableName(),
                dataSet.files());
        rows.setCoder(CompactRowCoder.of(DecimalDigits.declared(rows.getSchema(), 15, 2)));
        tables = tables.and(table.tableName(), rows);
      }
    }
    return tables.apply(
        "Query", SqlTransform.query(query.sql()).withQueryPlannerClass(AnemoneQueryPlanner.class));
  }

  private static boolean runsInColumns(Pipeline pipeline) {
    List<String> found = new ArrayList<>();
    pipeline.traverseTopologically(
        new Pipeline.PipelineVisitor.Defaults() {
          @Override
          public CompositeBehavior enterCompositeTransform(TransformHierarchy.Node node) {
            if (node.getTransform() instanceof DistributedRead) {
              found.add(node.getFullName());
            }
            return CompositeBehavior.ENTER_TRANSFORM;
          }
        });
    return !found.isEmpty();
  }
}
