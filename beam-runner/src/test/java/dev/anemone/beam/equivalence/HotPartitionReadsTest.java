// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.equivalence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.NemoPipelineResult;
import dev.anemone.beam.metrics.EdgeMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.joinlibrary.Join;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.junit.jupiter.api.Test;

/** What is read of a hot partition that is divided among tasks. */
class HotPartitionReadsTest {

  private static final int VALUE_BYTES = 1_500;

  /** One key has 70 % of 40 MB, made by 20 tasks. */
  private static final SkewedSource HOT = new SkewedSource(KeyLaw.HOT, 70, 27_000, 20, 1);

  private static final SkewedSource SMALL = new SkewedSource(KeyLaw.HOT, 1, 400, 3, 2);

  /** Makes values large that do not compress. */
  private static final class Enlarge extends DoFn<KV<Integer, Long>, KV<Integer, byte[]>> {

    private static final long serialVersionUID = 1L;

    @ProcessElement
    public void enlarge(
        @Element KV<Integer, Long> element, OutputReceiver<KV<Integer, byte[]>> out) {
      byte[] bytes = new byte[VALUE_BYTES];
      new Random(element.getValue()).nextBytes(bytes);
      out.output(KV.of(element.getKey(), bytes));
    }
  }

  private static final class Shrink extends DoFn<KV<Integer, KV<byte[], Long>>, KV<Integer, Long>> {

    private static final long serialVersionUID = 1L;

    @ProcessElement
    public void shrink(
        @Element KV<Integer, KV<byte[], Long>> element, OutputReceiver<KV<Integer, Long>> out) {
      out.output(
          KV.of(element.getKey(), element.getValue().getKey()[0] + element.getValue().getValue()));
    }
  }

  /** Over the edge that leads to the join. */
  private record Run(Map<String, Long> results, long storedBytes, long readBytes, String summary) {}

  private static Run run(String... options) {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("--runner=NemoRunner", "--parallelism=4", "--slots=4"));
    Pipeline pipeline =
        Pipeline.create(PipelineOptionsFactory.fromArgs(arguments.toArray(String[]::new)).create());
    Outcome outcome = new Outcome();
    PCollection<KV<Integer, byte[]>> large =
        pipeline.apply("Hot", Read.from(HOT)).apply("Enlarge", ParDo.of(new Enlarge()));
    PCollection<KV<Integer, Long>> small = pipeline.apply("Small", Read.from(SMALL));
    Join.innerJoin("Join", large, small)
        .apply("Shrink", ParDo.of(new Shrink()))
        .apply("Collect", ParDo.of(outcome.collect("")));
    NemoPipelineResult result = (NemoPipelineResult) pipeline.run();
    result.waitUntilFinish();
    Map<String, Long> stored = byEdge(result, "storedBytes");
    Map<String, Long> read = byEdge(result, "diskReadBytes");
    String widest =
        read.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    return new Run(outcome.take(), stored.get(widest), read.get(widest), result.summary());
  }

  private static Map<String, Long> byEdge(NemoPipelineResult result, String counter) {
    return StreamSupport.stream(
            result
                .metrics()
                .queryMetrics(
                    MetricsFilter.builder()
                        .addNameFilter(MetricNameFilter.named(EdgeMetrics.NAMESPACE, counter))
                        .build())
                .getCounters()
                .spliterator(),
            false)
        .collect(
            Collectors.toMap(
                metric -> metric.getKey().stepName(), MetricResult<Long>::getCommitted));
  }

  @Test
  void behindAnAggregationEachTaskReadsItsShareOnly() {
    Run plain = run("--optimizationPolicy=Default");
    Run skewed =
        run(
            "--optimizationPolicy=SamplingLargeShuffleSkew",
            "--passOptions=samplingRate=0.2,measureAllUpTo=1");

    assertThat(skewed.results()).isEqualTo(plain.results());
    assertThat(skewed.summary()).contains(" is divided among ");
    // Twice as much again is read of what came before the partition was found to be large.
    assertThat(skewed.readBytes())
        .as(skewed.summary())
        .isBetween(skewed.storedBytes() * 95 / 100, skewed.storedBytes() * 130 / 100);
  }
}
