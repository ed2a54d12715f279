// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import dev.anemone.beam.NemoPipelineResult;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.evaluation.lab.edges.EdgeFigures;
import dev.anemone.evaluation.lab.report.Findings;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.metrics.MetricResults;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.Validation;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;

/**
 * The program that shuffle experiments measure: makes {@link SyntheticRecords}, groups them by key,
 * and adds the groups up. {@code --parallelism} says how many tasks group.
 */
public final class ShuffleWorkload {

  /** What is shuffled, beside the options of the runner. */
  public interface Options extends NemoPipelineOptions {
    @Description("Tasks that make records")
    @Validation.Required
    Integer getProducers();

    void setProducers(Integer producers);

    @Description("How many records of 100 bytes")
    @Validation.Required
    Long getRecords();

    void setRecords(Long records);

    @Description("Seed of the records")
    @Validation.Required
    Long getSeed();

    void setSeed(Long seed);

    @Description("Where to write a WorkloadReport, as JSON")
    @Validation.Required
    String getReport();

    void setReport(String report);
  }

  private ShuffleWorkload() {}

  /**
   * Runs the workload on NemoRunner and writes the report. What went over the edges is printed to
   * the standard error stream as well.
   *
   * @throws IOException if the report cannot be written
   */
  public static void main(String[] args) throws IOException {
    PipelineOptionsFactory.register(Options.class);
    Options options = PipelineOptionsFactory.fromArgs(args).withValidation().as(Options.class);
    NemoPipelineResult result = (NemoPipelineResult) pipeline(options).run();
    result.waitUntilFinish();
    System.err.print(result.summary());
    Findings.write(Path.of(options.getReport()), report(result.metrics()));
  }

  private static Pipeline pipeline(Options options) {
    SyntheticRecords records = new SyntheticRecords(options.getRecords(), options.getSeed());
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply("Make", Read.from(SyntheticSource.of(records, options.getProducers())))
        .apply("Group", GroupByKey.create())
        .apply("Sum", ParDo.of(new SumGroupsFn()));
    return pipeline;
  }

  private static WorkloadReport report(MetricResults metrics) {
    RecordTotals totals =
        new RecordTotals(
            Counters.sum(metrics, SumGroupsFn.class, SumGroupsFn.RECORDS),
            Counters.sum(metrics, SumGroupsFn.class, SumGroupsFn.GROUPS),
            Counters.sum(metrics, SumGroupsFn.class, SumGroupsFn.CHECKSUM));
    return new WorkloadReport(totals, EdgeFigures.of(metrics).counters());
  }
}
