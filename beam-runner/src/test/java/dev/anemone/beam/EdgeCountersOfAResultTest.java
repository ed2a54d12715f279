// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.metrics.EdgeMetrics;
import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.engine.FailureSite;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.engine.Redraw;
import dev.anemone.runtime.engine.RunningJob;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.apache.beam.runners.core.metrics.MetricsContainerImpl;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.sdk.Pipeline.PipelineExecutionException;
import org.apache.beam.sdk.metrics.MetricName;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.junit.jupiter.api.Test;

/** What a result tells of the edges, given what the engine has counted. */
class EdgeCountersOfAResultTest {

  private static final Map<String, EdgeCounters> EDGES =
      Map.of("e3", EdgeCounters.of(LongStream.rangeClosed(1, 22).boxed().toList()));

  private static final Redraw REDRAW =
      new Redraw(
          "v5-sizes",
          List.of(new Redraw.Shuffle("e3", List.of(7L, 1L), List.of(4L, 4L), 2, List.of())),
          1,
          2,
          3,
          4,
          List.of("a note"));

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final MetricsContainerStepMap metrics = new MetricsContainerStepMap();

  @Test
  void edgeCountersStandBesideTheUsersMetrics() {
    MetricsContainerImpl step = new MetricsContainerImpl("Step");
    step.getCounter(MetricName.named("user", "elements")).inc(3);
    metrics.update("Step", step);
    NemoPipelineResult result = result(new EndedJob(JobState.SUCCEEDED, Optional.empty()), false);

    assertThat(counters(result, MetricNameFilter.named(EdgeMetrics.NAMESPACE, "diskSeeks")))
        .containsExactly("e3=7");
    assertThat(counters(result, MetricNameFilter.inNamespace("user"))).containsExactly("Step=3");
    assertThat(counters(result, MetricNameFilter.inNamespace(EdgeMetrics.NAMESPACE)))
        .as("counted once, however often they are asked for")
        .hasSize(22)
        .contains("e3=1", "e3=22");
  }

  @Test
  void theSummaryIsPrintedOnceAndOnlyWhereItIsAskedFor() {
    NemoPipelineResult asked = result(new EndedJob(JobState.SUCCEEDED, Optional.empty()), true);
    assertThat(printed()).isEmpty();

    asked.waitUntilFinish();
    asked.waitUntilFinish();

    assertThat(printed()).isEqualTo(asked.summary()).startsWith("edge").contains("\ne3 ");
    assertThat(printed()).contains("\nv5-sizes: ").endsWith("\na note\n");

    result(new EndedJob(JobState.SUCCEEDED, Optional.empty()), false).waitUntilFinish();
    assertThat(printed()).as("nothing more").isEqualTo(asked.summary());
  }

  @Test
  void aFailedJobHasASummaryToo() {
    NemoPipelineResult failed =
        result(new EndedJob(JobState.FAILED, Optional.of(new IllegalStateException())), true);

    assertThatThrownBy(failed::waitUntilFinish).isInstanceOf(PipelineExecutionException.class);
    assertThat(printed()).isEqualTo(failed.summary()).contains("\ne3 ");
  }

  @Test
  void aRunningJobHasNoSummaryYet() {
    NemoPipelineResult running = result(new UnendingJob(), true);

    assertThat(running.summary()).isEmpty();
    assertThat(running.waitUntilFinish(org.joda.time.Duration.millis(1))).isNull();
    assertThat(printed()).isEmpty();
  }

  private NemoPipelineResult result(RunningJob job, boolean summary) {
    return new NemoPipelineResult(
        job,
        metrics,
        summary
            ? Optional.of(new PrintStream(printed, true, StandardCharsets.UTF_8))
            : Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Duration.ofSeconds(30));
  }

  private String printed() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  private static List<String> counters(NemoPipelineResult result, MetricNameFilter filter) {
    Iterable<MetricResult<Long>> counters =
        result
            .metrics()
            .queryMetrics(MetricsFilter.builder().addNameFilter(filter).build())
            .getCounters();
    return StreamSupport.stream(counters.spliterator(), false)
        .map(counter -> counter.getKey().stepName() + "=" + counter.getCommitted())
        .toList();
  }

  private record EndedJob(JobState state, Optional<Throwable> failure) implements RunningJob {

    @Override
    public String id() {
      return "ended";
    }

    @Override
    public Optional<String> applicationId() {
      return Optional.empty();
    }

    @Override
    public Optional<JobResult> await(Optional<Duration> timeout) {
      return Optional.of(
          new JobResult(
              state,
              failure,
              failure.map(thrown -> new FailureSite(Optional.empty(), Optional.empty())),
              List.of(),
              EDGES,
              Map.of("e3", List.of(4L, 4L)),
              List.of(REDRAW)));
    }

    @Override
    public void cancel() {}
  }

  private record UnendingJob() implements RunningJob {

    @Override
    public String id() {
      return "unending";
    }

    @Override
    public Optional<String> applicationId() {
      return Optional.empty();
    }

    @Override
    public JobState state() {
      return JobState.RUNNING;
    }

    @Override
    public Optional<JobResult> await(Optional<Duration> timeout) {
      return Optional.empty();
    }

    @Override
    public void cancel() {}
  }
}
