// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.NemoRunner;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.sql.AnemoneQueryPlanner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.values.Row;

/** A job that NemoRunner runs here, and its report: a query of a {@link StoredTable}. */
final class OrdersJob {

  private OrdersJob() {}

  /** Sums what was ordered in each country. */
  static void run(StoredTable table, Path report, String... more) {
    List<String> arguments = new ArrayList<>(table.options());
    arguments.addAll(List.of("--jobName=orders-by-country", "--slots=4", "--progress=off"));
    arguments.addAll(List.of(more));
    NemoPipelineOptions options =
        PipelineOptionsFactory.fromArgs(arguments.toArray(String[]::new))
            .as(NemoPipelineOptions.class);
    options.setRunner(NemoRunner.class);
    options.setReport(report.toString());
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply(
            "Orders",
            SqlTransform.query(
                    "SELECT country, quantity, COUNT(*) AS n, SUM(id) AS ids FROM orders"
                        + " WHERE quantity BETWEEN 10 AND 40 GROUP BY country, quantity")
                .withDdlString(table.ddl())
                .withQueryPlannerClass(AnemoneQueryPlanner.class))
        .apply("Spread rows", Reshuffle.viaRandomKey())
        .apply("Format", ParDo.of(new FormatFn()));
    assertThat(pipeline.run().waitUntilFinish()).isEqualTo(PipelineResult.State.DONE);
  }

  private static final class FormatFn extends DoFn<Row, String> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(@Element Row row, OutputReceiver<String> out) {
      out.output(row.getString("country") + ": " + row.getInt64("n"));
    }
  }
}
