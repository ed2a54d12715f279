// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.translation.PortableTranslation;
import java.util.Optional;
import java.util.ServiceLoader;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.ExperimentalOptions;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.runners.TransformHierarchy.Node;
import org.apache.beam.sdk.util.common.ReflectHelpers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says which pipelines of Java have their functions run by SDK harnesses. */
final class PortableWay {

  private static final Logger LOG = LoggerFactory.getLogger(PortableWay.class);

  /** Beam's name for it. */
  private static final String EXPERIMENT = "beam_fn_api";

  private PortableWay() {}

  /**
   * What translates a pipeline that has steps of other SDKs, or asks for harnesses; empty if it
   * does neither, and where the module for that is not on the class path.
   */
  static Optional<PortableTranslation> of(Pipeline pipeline, PipelineOptions options) {
    boolean asked = ExperimentalOptions.hasExperiment(options, EXPERIMENT);
    if (!asked && !StepsOfOthers.areIn(pipeline)) {
      return Optional.empty();
    }
    Optional<PortableTranslation> found =
        ServiceLoader.load(PortableTranslation.class, ReflectHelpers.findClassLoader()).findFirst();
    if (asked && found.isEmpty()) {
      LOG.warn(
          "--experiments={} changes nothing: anemone-portability is not on the class path.",
          EXPERIMENT);
    }
    return found;
  }

  private static final class StepsOfOthers extends Pipeline.PipelineVisitor.Defaults {

    private boolean found;

    static boolean areIn(Pipeline pipeline) {
      StepsOfOthers steps = new StepsOfOthers();
      pipeline.traverseTopologically(steps);
      return steps.found;
    }

    @Override
    public CompositeBehavior enterCompositeTransform(Node node) {
      visit(node);
      return CompositeBehavior.ENTER_TRANSFORM;
    }

    @Override
    public void visitPrimitiveTransform(Node node) {
      visit(node);
    }

    private void visit(Node node) {
      found |= UnsupportedFeature.CROSS_LANGUAGE.isUsedBy(node);
    }
  }
}
