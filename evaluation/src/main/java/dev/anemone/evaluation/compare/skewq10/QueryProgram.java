// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.skewq10;

import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.evaluation.lab.edges.EdgeFigures;
import dev.anemone.evaluation.lab.report.Findings;
import dev.anemone.examples.sql.QueryResult;
import dev.anemone.examples.tpch.Tpch;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchQuery;
import dev.anemone.examples.tpch.TpchSkew;
import dev.anemone.shell.rows.AlignedTable;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.Validation;

public final class QueryProgram {
  /** Which query, on what data, beside the options of the runner. */
  public interface Options extends Tpch.Options, NemoPipelineOptions {
    @Description("Where to write a QueryReport, as JSON")
    @Validation.Required
    String getFigures();

    void setFigures(String figures);
  }

  private QueryProgram() {}

  public static void main(String[] args) throws IOException {
    PipelineOptionsFactory.register(Options.class);
    Options options = PipelineOptionsFactory.fromArgs(args).withValidation().as(Options.class);
    TpchDataSet dataSet =
        TpchDataSet.open(
            Path.of(options.getData()), options.getScale(), TpchSkew.parse(options.getSkew()));
    QueryResult result = Tpch.run(TpchQuery.parse(options.getQuery()).get(0), dataSet, options);
    Findings.write(
        Path.of(options.getFigures()),
        new QueryReport(
            result.time().toMillis(),
            AlignedTable.format(result.schema(), result.rows()),
            EdgeFigures.of(result.metrics())));
  }

  /** A report of {@link QueryProgram}; the job is what the runner gets, to its end. */
  public record QueryReport(long jobMilliseconds, String rows, EdgeFigures edges) {}
}
