// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.runners.TransformHierarchy;
import org.apache.beam.sdk.testing.TestPipelineOptions;
import org.apache.beam.sdk.transforms.PTransform;
import org.joda.time.Duration;

/**
 * Waits for pipelines that are made for tests: Beam's {@code TestPipeline} counts the assertions
 * that have succeeded as soon as {@code run()} returns, and so do tests whose pipelines have
 * assertions. So tests need no runner of their own.
 */
final class TestPipelines {

  // By name: the classes need JUnit 4, which programs that are no tests do not have.
  private static final String TEST_PIPELINE = "org.apache.beam.sdk.testing.TestPipeline";
  private static final String ASSERTIONS = "org.apache.beam.sdk.testing.PAssert$";

  private TestPipelines() {}

  /** Whether a pipeline, as the user made it, is for tests: it says so, or has assertions. */
  static boolean isTest(Pipeline pipeline) {
    if (pipeline.getClass().getName().equals(TEST_PIPELINE)) {
      return true;
    }
    AssertionFinder finder = new AssertionFinder();
    pipeline.traverseTopologically(finder);
    return finder.found;
  }

  private static final class AssertionFinder extends Pipeline.PipelineVisitor.Defaults {

    private boolean found;

    @Override
    public CompositeBehavior enterCompositeTransform(TransformHierarchy.Node node) {
      PTransform<?, ?> transform = node.getTransform();
      found |= transform != null && transform.getClass().getName().startsWith(ASSERTIONS);
      return CompositeBehavior.ENTER_TRANSFORM;
    }
  }

  /**
   * Waits for a test pipeline's end, unless its options say not to.
   *
   * @throws Pipeline.PipelineExecutionException when the pipeline failed
   * @throws AssertionError when it is not done in the time that its options allow
   */
  static void await(PipelineOptions options, NemoPipelineResult result) {
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
