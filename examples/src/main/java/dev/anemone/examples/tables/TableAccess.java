// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TupleTag;

/** How a query reads the tables of a data set. */
public enum TableAccess {
  /** By sources of this program, which read only the columns that the query uses. */
  SOURCES {
    @Override
    PCollection<Row> apply(Pipeline pipeline, String step, SqlTransform query, DataSet dataSet) {
      return pipeline.apply(
          step, query.withDefaultTableProvider("files", FileTable.provider(dataSet)));
    }
  },
  /** As tables of {@code TYPE ndp}, whose first operators may run where the data lies. */
  NDP {
    @Override
    PCollection<Row> apply(Pipeline pipeline, String step, SqlTransform query, DataSet dataSet) {
      return pipeline.apply(step, NdpTables.declare(dataSet, query));
    }
  },
  /** As collections that the program has read as a whole, whose sizes the planner does not know. */
  PCOLLECTIONS {
    @Override
    PCollection<Row> apply(Pipeline pipeline, String step, SqlTransform query, DataSet dataSet) {
      PCollectionTuple tables = PCollectionTuple.empty(pipeline);
      for (TableFiles files : dataSet.tables()) {
        DataTable table = files.table();
        tables =
            tables.and(
                new TupleTag<Row>(table.tableName()),
                pipeline
                    .apply("Read " + table.tableName(), Read.from(files.source(table.schema())))
                    .setRowSchema(table.schema()));
      }
      return tables.apply(step, query);
    }
  };

  /**
   * Adds a query to a pipeline.
   *
   * @param step what the pipeline calls it
   * @param sql its text
   */
  public PCollection<Row> query(Pipeline pipeline, String step, String sql, DataSet dataSet) {
    // The tables of this query are all there are: no need to load Beam's other providers.
    SqlTransform query = SqlTransform.query(sql).withAutoLoading(false);
    return apply(pipeline, step, query, dataSet.namedIn(sql));
  }

  abstract PCollection<Row> apply(
      Pipeline pipeline, String step, SqlTransform query, DataSet dataSet);

  /** Whether a text has the name of a table as a word. */
  static boolean isNamed(DataTable table, String sql) {
    return Pattern.compile("\\b" + table.tableName() + "\\b")
        .matcher(sql.toLowerCase(Locale.ROOT))
        .find();
  }
}
