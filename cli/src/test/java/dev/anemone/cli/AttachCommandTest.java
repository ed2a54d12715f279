// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.FailedPipelineException;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.runtime.engine.FailureSite;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricName;
import org.apache.beam.sdk.metrics.MetricResults;
import org.joda.time.Duration;
import org.junit.jupiter.api.Test;

class AttachCommandTest {
  private static final String ID = "application_1767225600000_0001";

  @Test
  void theJobIsLookedForWithTheOptions() throws Throwable {
    AtomicReference<String> asked = new AtomicReference<>();
    AttachCommand command =
        new AttachCommand(
            (options, id) -> {
              asked.set(options.as(NemoPipelineOptions.class).getHadoopConfDir() + " " + id);
              return new EndedJob(PipelineResult.State.DONE, Optional.empty());
            });

    command.call(List.of(ID, "--hadoopConfDir=/etc/hadoop/conf"));

    assertThat(asked).hasValue("/etc/hadoop/conf " + ID);
  }

  @Test
  void aJobThatDidNotSucceedIsAFailure() {
    FailedPipelineException failure =
        new FailedPipelineException(
            new IllegalStateException("the ledger does not balance"),
            new FailureSite(Optional.of("task 3 of Sum, attempt 3"), Optional.empty()));

    assertThatThrownBy(() -> attach(PipelineResult.State.FAILED, Optional.of(failure)))
        .isSameAs(failure);
    assertThatThrownBy(() -> attach(PipelineResult.State.CANCELLED, Optional.empty()))
        .hasMessage("The job " + ID + " ended in state CANCELLED.");
  }

  @Test
  void theReportHasTheStateAndTheCountersInTheOrderOfTheirSteps() {
    ByteArrayOutputStream text = new ByteArrayOutputStream();

    JobReport.print(
        ID,
        new EndedJob(PipelineResult.State.DONE, Optional.empty()),
        new PrintStream(text, true, StandardCharsets.UTF_8));

    assertThat(text.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            ID + ": DONE",
            "           1,234,567  words  Count",
            "                   2  lines  Read",
            "                   3  words  Read");
  }

  @Test
  void whatIsNoIdIsRefused() {
    assertThatThrownBy(() -> new AttachCommand().call(List.of()))
        .isInstanceOf(WrongUsageException.class)
        .hasMessageStartingWith("The application's id is missing. Give");
    assertThatThrownBy(() -> new AttachCommand().call(List.of("job-7")))
        .isInstanceOf(WrongUsageException.class)
        .hasMessageStartingWith("job-7 is no application's id. Give");
  }

  private static void attach(PipelineResult.State state, Optional<FailedPipelineException> failure)
      throws Throwable {
    new AttachCommand((options, id) -> new EndedJob(state, failure)).call(List.of(ID));
  }

  private record EndedJob(State state, Optional<FailedPipelineException> failure)
      implements PipelineResult {

    @Override
    public State getState() {
      return state;
    }

    @Override
    public State cancel() {
      return state;
    }

    @Override
    public State waitUntilFinish(Duration duration) {
      return waitUntilFinish();
    }

    @Override
    public State waitUntilFinish() {
      failure.ifPresent(
          thrown -> {
            throw thrown;
          });
      return state;
    }

    @Override
    public MetricResults metrics() {
      MetricsContainerStepMap metrics = new MetricsContainerStepMap();
      metrics.getContainer("Read").getCounter(MetricName.named("test", "words")).inc(3);
      metrics.getContainer("Read").getCounter(MetricName.named("test", "lines")).inc(2);
      metrics.getContainer("Count").getCounter(MetricName.named("test", "words")).inc(1_234_567);
      return MetricsContainerStepMap.asAttemptedOnlyMetricResults(metrics);
    }
  }
}
