// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import dev.anemone.beam.NemoPipelineResult;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.evaluation.lab.edges.EdgeFigures;
import dev.anemone.evaluation.lab.report.Findings;
import dev.anemone.evaluation.lab.workload.SyntheticRecords.RecordTotals;
import dev.anemone.evaluation.lab.workload.SyntheticRecords.SyntheticSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.zip.CRC32C;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricResults;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.Validation;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;

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
    String getFigures();

    void setFigures(String figures);
  }

  private ShuffleWorkload() {}

  /** Writes the report; what went over the edges goes to the standard error stream as well. */
  public static void main(String[] args) throws IOException {
    PipelineOptionsFactory.register(Options.class);
    Options options = PipelineOptionsFactory.fromArgs(args).withValidation().as(Options.class);
    NemoPipelineResult result = (NemoPipelineResult) pipeline(options).run();
    result.waitUntilFinish();
    System.err.print(result.summary());
    Findings.write(Path.of(options.getFigures()), report(result.metrics()));
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

  /** A counter of user code, over all steps of a job that has ended. */
  static long sum(MetricResults metrics, Class<?> namespace, String counter) {
    MetricsFilter filter =
        MetricsFilter.builder().addNameFilter(MetricNameFilter.named(namespace, counter)).build();
    long sum = 0;
    for (MetricResult<Long> result : metrics.queryMetrics(filter).getCounters()) {
      sum += result.getCommitted();
    }
    return sum;
  }

  private static WorkloadReport report(MetricResults metrics) {
    RecordTotals totals =
        new RecordTotals(
            sum(metrics, SumGroupsFn.class, SumGroupsFn.RECORDS),
            sum(metrics, SumGroupsFn.class, SumGroupsFn.GROUPS),
            sum(metrics, SumGroupsFn.class, SumGroupsFn.CHECKSUM));
    return new WorkloadReport(totals, EdgeFigures.of(metrics).counters());
  }

  /** A report of {@link ShuffleWorkload}, with the engine's counters of every edge. */
  public record WorkloadReport(
      RecordTotals totals, SortedMap<String, SortedMap<String, Long>> edges) {
    private static final String PUSHED = "pushedBytes";
    private static final String FALLEN_BACK = "fallenBackBytes";

    /** Sum of a counter over all edges. */
    public long total(String counter) {
      return edges.values().stream().mapToLong(edge -> edge.getOrDefault(counter, 0L)).sum();
    }

    /** Sum of a counter over the edges into consumers, without those into aggregation tasks. */
    public long ofConsumers(String counter) {
      return edges.values().stream()
          .filter(edge -> edge.getOrDefault(PUSHED, 0L) + edge.getOrDefault(FALLEN_BACK, 0L) == 0)
          .mapToLong(edge -> edge.getOrDefault(counter, 0L))
          .sum();
    }
  }

  /** Adds groups of records up to {@link RecordTotals}, in counters of these names. */
  static final class SumGroupsFn extends DoFn<KV<byte[], Iterable<byte[]>>, Void> {
    static final String RECORDS = "records";
    static final String GROUPS = "groups";
    static final String CHECKSUM = "checksum";

    private static final long serialVersionUID = 1;

    private final Counter recordCounter = Metrics.counter(SumGroupsFn.class, RECORDS);
    private final Counter groupCounter = Metrics.counter(SumGroupsFn.class, GROUPS);
    private final Counter checksumCounter = Metrics.counter(SumGroupsFn.class, CHECKSUM);

    private transient CRC32C crc;
    private transient long records;
    private transient long groups;
    private transient long checksum;

    @StartBundle
    public void start() {
      crc = new CRC32C();
      records = 0;
      groups = 0;
      checksum = 0;
    }

    @ProcessElement
    public void sum(@Element KV<byte[], Iterable<byte[]>> group) {
      groups++;
      for (byte[] value : group.getValue()) {
        records++;
        checksum += SyntheticRecords.checksum(crc, group.getKey(), value);
      }
    }

    /** Once per bundle, since a counter costs more than the sum of a record. */
    @FinishBundle
    public void count() {
      recordCounter.inc(records);
      groupCounter.inc(groups);
      checksumCounter.inc(checksum);
    }
  }
}
