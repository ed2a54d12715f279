// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.options.InvalidPipelineException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.runners.TransformHierarchy.Node;

/** Refuses pipelines that cannot run, before anything runs. */
final class PipelineCheck extends Pipeline.PipelineVisitor.Defaults {

  private static final int MAX_NAMED = 5;

  private final List<String> refusals = new ArrayList<>();
  private final Set<UnsupportedFeature> allowed;
  private boolean hasSteps;

  private PipelineCheck(Set<UnsupportedFeature> allowed) {
    this.allowed = allowed;
  }

  /**
   * Checks a pipeline as the user made it, before any override.
   *
   * @return whether there is anything to run
   * @throws InvalidPipelineException names the steps and what they use
   */
  static boolean hasSteps(Pipeline pipeline) {
    return hasSteps(pipeline, EnumSet.noneOf(UnsupportedFeature.class));
  }

  /** The same, where some of what is refused otherwise can run. */
  static boolean hasSteps(Pipeline pipeline, Set<UnsupportedFeature> allowed) {
    PipelineCheck check = new PipelineCheck(allowed);
    pipeline.traverseTopologically(check);
    if (!check.refusals.isEmpty()) {
      throw new InvalidPipelineException(check.message());
    }
    return check.hasSteps;
  }

  @Override
  public CompositeBehavior enterCompositeTransform(Node node) {
    return node.isRootNode() || accepts(node)
        ? CompositeBehavior.ENTER_TRANSFORM
        : CompositeBehavior.DO_NOT_ENTER_TRANSFORM;
  }

  @Override
  public void visitPrimitiveTransform(Node node) {
    hasSteps = true;
    accepts(node);
  }

  private boolean accepts(Node node) {
    return UnsupportedFeature.usedBy(node)
        .filter(feature -> !allowed.contains(feature))
        .map(feature -> refuse(node, feature))
        .orElse(true);
  }

  private boolean refuse(Node node, UnsupportedFeature feature) {
    refusals.add("step '" + node.getFullName() + "' uses " + feature.description());
    return false;
  }

  private String message() {
    int named = Math.min(MAX_NAMED, refusals.size());
    String more = refusals.size() > named ? "; and " + (refusals.size() - named) + " more" : "";
    return "NemoRunner cannot run this pipeline: "
        + String.join("; ", refusals.subList(0, named))
        + more
        + ". Take these steps out, or run the pipeline on a runner that has what they use.";
  }
}
