// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.testing.TestPipelineOptions;
import org.joda.time.Duration;

/**
 * Waits for pipelines that are made for tests: Beam's {@code TestPipeline} counts the assertions
 * that have succeeded as soon as {@code run()} returns. So tests need no runner of their own.
 */
final class TestPipelines {

  // By name: the class needs JUnit 4, which programs that are no tests do not have.
  private static final String TEST_PIPELINE = "org.apache.beam.sdk.testing.TestPipeline";

  private TestPipelines() {}

  /**
   * Waits for a test pipeline's end, unless its options say not to.
   *
   * @throws Pipeline.PipelineExecutionException when the pipeline failed
   * @throws AssertionError when it is not done in the time that its options allow
   */
  static void awaitIfTest(Pipeline pipeline, PipelineOptions options, NemoPipelineResult result) {
    if (!pipeline.getClass().getName().equals(TEST_PIPELINE)) {
      return;
    }
    TestPipelineOptions testOptions = options.as(TestPipelineOptions.class);
    if (!testOptions.isBlockOnRun()) {
      return;
    }
    Long seconds = testOptions.getTestTimeoutSeconds();
    Duration timeout = seconds == null ? Duration.ZERO : Duration.standardSeconds(seconds);
    PipelineResult.State state = result.waitUntilFinish(timeout);
    if (state == null) {
      result.cancel();
      throw new AssertionError(
          "The pipeline was cancelled, since it still ran after the "
              + seconds
              + " s of --testTimeoutSeconds.");
    }
  }
}
