// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.Pipeline.PipelineExecutionException;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.junit.jupiter.api.Test;

class LaunchedRunnerTest {
  private static final long DEADLINE_SECONDS = 60;

  private static CountDownLatch gate;

  @Test
  void whatTheProgramDoesNotWaitForIsWaitedFor() {
    gate = new CountDownLatch(1);
    PipelineResult result = pipeline("--blockOnRun=false").run();
    assertThat(result.getState()).isEqualTo(PipelineResult.State.RUNNING);
    gate.countDown();

    LaunchedRunner.awaitStarted();

    assertThat(result.getState()).isEqualTo(PipelineResult.State.DONE);
  }

  @Test
  void aFailureThatTheProgramHasCaughtIsAFailureYet() {
    Pipeline pipeline = pipeline("--maxTaskAttempts=1");
    pipeline.apply("Bad", Create.of(1)).apply("Fail", ParDo.of(new FailFn()));
    gate = new CountDownLatch(0);
    assertThatThrownBy(pipeline::run).isInstanceOf(PipelineExecutionException.class);

    assertThatThrownBy(LaunchedRunner::awaitStarted)
        .isInstanceOf(PipelineExecutionException.class)
        .hasRootCauseMessage("the ledger does not balance");
    assertThatCode(LaunchedRunner::awaitStarted).doesNotThrowAnyException();
  }

  private static Pipeline pipeline(String option) {
    Pipeline pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs(
                    "--runner=" + LaunchedRunner.class.getName(), "--progress=off", option)
                .create());
    pipeline.apply(Create.of(1, 2, 3)).apply("Wait", ParDo.of(new WaitFn()));
    return pipeline;
  }

  private static final class WaitFn extends DoFn<Integer, Void> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement() throws InterruptedException {
      if (!gate.await(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("nobody has opened the gate");
      }
    }
  }

  private static final class FailFn extends DoFn<Integer, Void> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(@Element Integer element) {
      if (element == 1) {
        throw new IllegalStateException("the ledger does not balance");
      }
    }
  }
}
