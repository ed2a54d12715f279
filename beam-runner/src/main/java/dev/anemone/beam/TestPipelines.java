// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import java.time.Duration;
import java.util.Optional;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.runners.TransformHierarchy;
import org.apache.beam.sdk.testing.TestPipelineOptions;
import org.apache.beam.sdk.transforms.PTransform;

/**
 * Tells pipelines that are made for tests, which have a time limit: a {@code TestPipeline}, and any
 * pipeline with assertions. So tests need no runner of their own.
 */
final class TestPipelines {

  // By name: the classes need JUnit 4, which programs that are no tests do not have.
  private static final String TEST_PIPELINE = "org.apache.beam.sdk.testing.TestPipeline";
  private static final String ASSERTIONS = "org.apache.beam.sdk.testing.PAssert$";

  private TestPipelines() {}

  /**
   * How long {@code run()} may take, for a pipeline as the user made it: {@code
   * --testTimeoutSeconds} if it is for tests; empty for any other, and when that is not positive.
   */
  static Optional<Duration> limit(Pipeline pipeline, PipelineOptions options) {
    if (!isTest(pipeline)) {
      return Optional.empty();
    }
    Long seconds = options.as(TestPipelineOptions.class).getTestTimeoutSeconds();
    return seconds == null || seconds <= 0
        ? Optional.empty()
        : Optional.of(Duration.ofSeconds(seconds));
  }

  private static boolean isTest(Pipeline pipeline) {
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
}
