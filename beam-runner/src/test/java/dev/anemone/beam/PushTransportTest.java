// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.metrics.EdgeMetrics;
import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.rdma.transport.Transports;
import dev.anemone.testing.Requirement;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The option that says how producers push. */
class PushTransportTest {

  private static final int NUMBERS = 200_000;
  private static final int KEYS = 7_000;

  private static Pipeline pipeline(String... arguments) {
    return Pipeline.create(PipelineOptionsFactory.fromArgs(arguments).withValidation().create());
  }

  private static void requireUcx() {
    try (Transport opened = Transports.found().open("ucx")) {
      assertThat(opened.name()).isEqualTo("ucx");
    } catch (TransportUnavailableException e) {
      throw Requirement.UCX.missing(e.getMessage());
    }
  }

  /** BasicPush only runs consumers beside producers. */
  @ParameterizedTest
  @CsvSource({"LargeShuffle,tcp", "LargeShuffle,ucx", "LargeShuffle," + CountedTransport.NAME})
  void thePoliciesThatPushUseTheTransportAndGiveTheRightAnswer(String policy, String transport) {
    if (transport.equals("ucx")) {
      requireUcx();
    }
    PipelineResult result =
        sumsUp("--optimizationPolicy=" + policy, "--pushTransport=" + transport);
    // What is pushed goes over the transport, all of it; some may have fallen back.
    assertThat(sum(result, "transportBytes")).isPositive().isEqualTo(sum(result, "pushedBytes"));
    if (transport.equals(CountedTransport.NAME)) {
      assertThat(CountedTransport.opened()).as("transports of that name").isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--pushTransport=netty", "--pushTransport=direct", "--slots=8"})
  void otherWaysAreNoTransports(String way) {
    PipelineResult result = sumsUp("--optimizationPolicy=LargeShuffle", way);
    assertThat(sum(result, "pushedBytes")).isPositive();
    assertThat(sum(result, "transportBytes")).isZero();
  }

  /** Runs a pipeline with these arguments, and checks its answer. */
  private static PipelineResult sumsUp(String... arguments) {
    Pipeline pipeline =
        pipeline(
            Stream.concat(
                    Stream.of("--runner=NemoRunner", "--slots=8", "--parallelism=3"),
                    Stream.of(arguments))
                .distinct()
                .toArray(String[]::new));
    PCollection<KV<Integer, Long>> sums =
        pipeline
            .apply(Create.of(IntStream.range(0, 100).boxed().collect(Collectors.toList())))
            .apply(ParDo.of(new NumbersFn()))
            .apply(GroupByKey.create())
            .apply(ParDo.of(new SumFn()));
    PAssert.that(sums)
        .satisfies(
            all -> {
              Map<Integer, Long> found =
                  StreamSupport.stream(all.spliterator(), false)
                      .collect(Collectors.toMap(KV::getKey, KV::getValue));
              assertThat(found)
                  .isEqualTo(
                      IntStream.range(0, NUMBERS)
                          .boxed()
                          .collect(
                              Collectors.groupingBy(
                                  n -> n % KEYS, Collectors.summingLong(n -> (long) n))));
              return null;
            });
    PipelineResult result = pipeline.run();
    result.waitUntilFinish();
    return result;
  }

  private static long sum(PipelineResult result, String counter) {
    MetricsFilter filter =
        MetricsFilter.builder()
            .addNameFilter(MetricNameFilter.named(EdgeMetrics.NAMESPACE, counter))
            .build();
    return StreamSupport.stream(
            result.metrics().queryMetrics(filter).getCounters().spliterator(), false)
        .mapToLong(MetricResult::getAttempted)
        .sum();
  }

  @Test
  void aTransportThatIsNotKnownIsNamedBeforeAnythingRuns() {
    assertThatThrownBy(() -> pipeline("--runner=NemoRunner", "--pushTransport=pigeons"))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--pushTransport=pigeons")
        .hasMessageContaining("netty, direct, auto")
        .hasMessageContaining("tcp");
  }

  @Test
  void pullingWantsATransport() {
    assertThatThrownBy(() -> pipeline("--runner=NemoRunner", "--pullByTransport=true"))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--pullByTransport")
        .hasMessageContaining("--pushTransport=tcp, ucx or auto");
  }

  private static final class NumbersFn extends DoFn<Integer, KV<Integer, Integer>> {
    private static final long serialVersionUID = 1L;

    @ProcessElement
    public void process(@Element Integer part, OutputReceiver<KV<Integer, Integer>> out) {
      for (int n = part; n < NUMBERS; n += 100) {
        out.output(KV.of(n % KEYS, n));
      }
    }
  }

  private static final class SumFn extends DoFn<KV<Integer, Iterable<Integer>>, KV<Integer, Long>> {
    private static final long serialVersionUID = 1L;

    @ProcessElement
    public void process(
        @Element KV<Integer, Iterable<Integer>> element, OutputReceiver<KV<Integer, Long>> out) {
      long sum = 0;
      for (int number : element.getValue()) {
        sum += number;
      }
      out.output(KV.of(element.getKey(), sum));
    }
  }
}
