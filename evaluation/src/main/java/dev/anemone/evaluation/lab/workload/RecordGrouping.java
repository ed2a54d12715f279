// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import dev.anemone.evaluation.lab.report.Findings;
import dev.anemone.evaluation.lab.workload.ShuffleWorkload.SumGroupsFn;
import dev.anemone.evaluation.lab.workload.SyntheticRecords.RecordTotals;
import dev.anemone.evaluation.lab.workload.SyntheticRecords.SyntheticSource;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.Validation;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;

/**
 * A group-by of {@link ZipfRecords} that any runner of Beam runs: makes records in parts, groups
 * them by key, and adds the groups up.
 */
public final class RecordGrouping {
  /** What is grouped, beside the options of the runner. */
  public interface Options extends PipelineOptions {
    @Description("Tasks that make records")
    @Validation.Required
    Integer getParts();

    void setParts(Integer parts);

    @Description("How many records of 100 bytes")
    @Validation.Required
    Long getRecords();

    void setRecords(Long records);

    @Description("How many keys there may be")
    @Validation.Required
    Integer getKeys();

    void setKeys(Integer keys);

    @Description("Exponent of Zipf's law by which keys are drawn")
    @Validation.Required
    Double getExponent();

    void setExponent(Double exponent);

    @Description("Where to write a GroupingReport, as JSON")
    @Validation.Required
    String getFigures();

    void setFigures(String figures);
  }

  private static final long SEED = 1;

  private RecordGrouping() {}

  /** What is grouped. */
  public static ZipfRecords records(long records, int keys, double exponent) {
    return new ZipfRecords(records, keys, exponent, SEED);
  }

  /** Runs the pipeline and writes the report. */
  public static void main(String[] args) throws IOException {
    PipelineOptionsFactory.register(Options.class);
    Options options = PipelineOptionsFactory.fromArgs(args).withValidation().as(Options.class);
    ZipfRecords records = records(options.getRecords(), options.getKeys(), options.getExponent());
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply("Make", Read.from(SyntheticSource.of(records, options.getParts())))
        .apply("Group", GroupByKey.create())
        .apply("Sum", ParDo.of(new SumGroupsFn()));
    long begin = System.nanoTime();
    PipelineResult result = pipeline.run();
    result.waitUntilFinish();
    double seconds = (System.nanoTime() - begin) / 1e9;
    Findings.write(
        Path.of(options.getFigures()),
        new GroupingReport(
            seconds,
            new RecordTotals(
                sum(result, SumGroupsFn.RECORDS),
                sum(result, SumGroupsFn.GROUPS),
                sum(result, SumGroupsFn.CHECKSUM))));
  }

  /** Of runners that do not tell apart what was committed, what was attempted. */
  private static long sum(PipelineResult result, String counter) {
    MetricsFilter filter =
        MetricsFilter.builder()
            .addNameFilter(MetricNameFilter.named(SumGroupsFn.class, counter))
            .build();
    long sum = 0;
    for (MetricResult<Long> found : result.metrics().queryMetrics(filter).getCounters()) {
      Long committed = found.getCommittedOrNull();
      sum += committed == null ? found.getAttempted() : committed;
    }
    return sum;
  }

  /** What was found, and the seconds from the start of the pipeline to its end. */
  public record GroupingReport(double jobSeconds, RecordTotals totals) {}
}
