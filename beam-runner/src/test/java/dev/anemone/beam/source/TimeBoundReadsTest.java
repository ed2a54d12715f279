// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.StreamSupport;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.io.GenerateSequence;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.joda.time.Duration;
import org.junit.jupiter.api.Test;

/** Reads of a source that always has something. */
class TimeBoundReadsTest {

  private static final Duration DEADLINE = Duration.standardSeconds(60);

  @Test
  void aReadEndsWithItsTime() throws IOException {
    assertThat(count(GenerateSequence.from(0).withMaxReadTime(Duration.millis(10)))).isPositive();
  }

  @Test
  void aReadEndsWithItsRecordsBeforeItsTime() throws IOException {
    assertThat(count(GenerateSequence.from(0).to(25_000).withMaxReadTime(Duration.standardDays(1))))
        .isEqualTo(25_000);
  }

  private static long count(PTransform<PBegin, PCollection<Long>> read) throws IOException {
    Pipeline pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs("--runner=NemoRunner", "--blockOnRun=false").create());
    pipeline.apply(read).apply("Count", ParDo.of(new CountFn()));
    PipelineResult result = pipeline.run();
    try {
      assertThat(result.waitUntilFinish(DEADLINE)).isEqualTo(PipelineResult.State.DONE);
    } finally {
      result.cancel();
    }
    return StreamSupport.stream(
            result
                .metrics()
                .queryMetrics(
                    MetricsFilter.builder()
                        .addNameFilter(MetricNameFilter.named(CountFn.class, "elements"))
                        .build())
                .getCounters()
                .spliterator(),
            false)
        .mapToLong(MetricResult::getCommitted)
        .sum();
  }

  private static final class CountFn extends DoFn<Long, Void> {
    private static final long serialVersionUID = 1L;

    @ProcessElement
    public void processElement() {
      Metrics.counter(CountFn.class, "elements").inc();
    }
  }
}
