// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.PipelineResult.State;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KilledJobTest {

  private static final String NAME = "killed-" + ProcessHandle.current().pid();

  private static Optional<JobEntry> entry() throws IOException {
    return JobRegistry.ofThisUser().list().stream()
        .filter(job -> job.name().equals(NAME))
        .findFirst();
  }

  @Test
  void aPipelineThatIsKilledByAnotherProgramIsCancelled() throws Exception {
    Pipeline pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs(
                    "--runner=NemoRunner", "--blockOnRun=false", "--slots=1", "--jobName=" + NAME)
                .create());
    pipeline.apply(Create.of("a")).apply(ParDo.of(new Endless()));
    PipelineResult result = pipeline.run();
    Optional<JobEntry> job = entry();
    while (job.isEmpty()) {
      Thread.onSpinWait();
      job = entry();
    }

    assertThat(JobRegistry.ofThisUser().cancel(job.get(), Duration.ofSeconds(30))).isTrue();

    assertThat(result.waitUntilFinish()).isEqualTo(State.CANCELLED);
    assertThat(entry()).isEmpty();
  }

  private static final class Endless extends DoFn<String, String> {

    @ProcessElement
    public void await() throws InterruptedException {
      assertThat(new CountDownLatch(1).await(50, TimeUnit.SECONDS)).isFalse();
    }
  }
}
