// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.options.InvalidPipelineException;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricQueryResults;
import org.apache.beam.sdk.metrics.MetricsOptions;
import org.apache.beam.sdk.metrics.MetricsSink;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options of a metrics sink that cannot be right; pushes are tested with the result. */
class MetricsPushTest {

  @ParameterizedTest
  @ValueSource(longs = {0, -1})
  void aPeriodThatIsNotPositiveIsRefused(long seconds) {
    Pipeline pipeline = pipeline(WorkingSink.class, seconds);

    assertThatThrownBy(pipeline::run)
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--metricsPushPeriod=" + seconds)
        .hasMessageContaining("at least 1")
        .hasMessageContaining("--metricsSink");
  }

  @Test
  void withoutASinkThePeriodDoesNotMatter() {
    Pipeline pipeline = Pipeline.create(options(0));

    assertThat(pipeline.run().getState()).isEqualTo(PipelineResult.State.DONE);
  }

  @Test
  void aSinkThatCannotBeMadeIsNamed() {
    Pipeline withoutConstructor = pipeline(SinkWithoutConstructor.class, 5);
    Pipeline throwing = pipeline(ThrowingSink.class, 5);

    assertThatThrownBy(withoutConstructor::run)
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--metricsSink=" + SinkWithoutConstructor.class.getName())
        .hasMessageContaining("constructor that takes MetricsOptions");
    assertThatThrownBy(throwing::run)
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--metricsSink=" + ThrowingSink.class.getName())
        .hasMessageContaining("no address of the server")
        .hasMessageNotContaining("\n");
  }

  private static Pipeline pipeline(Class<? extends MetricsSink> sink, long seconds) {
    MetricsOptions options = options(seconds);
    options.setMetricsSink(sink);
    return Pipeline.create(options);
  }

  private static MetricsOptions options(long seconds) {
    MetricsOptions options =
        PipelineOptionsFactory.fromArgs("--runner=NemoRunner").as(MetricsOptions.class);
    options.setMetricsPushPeriod(seconds);
    return options;
  }

  /** Beam makes it. */
  public static final class WorkingSink implements MetricsSink {

    public WorkingSink(MetricsOptions options) {
      assertThat(options.getMetricsSink()).isEqualTo(WorkingSink.class);
    }

    @Override
    public void writeMetrics(MetricQueryResults metrics) {}
  }

  private static final class SinkWithoutConstructor implements MetricsSink {

    @Override
    public void writeMetrics(MetricQueryResults metrics) {}
  }

  /** Beam makes it. */
  public static final class ThrowingSink implements MetricsSink {

    public ThrowingSink(MetricsOptions options) {
      throw new IllegalStateException("no address of the server for " + options.getJobName());
    }

    @Override
    public void writeMetrics(MetricQueryResults metrics) {}
  }
}
