// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.translation.join.DivisibleSides;
import java.util.Optional;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.runners.TransformHierarchy;

/**
 * Translates a pipeline to the IR: replaces what has no translation of its own, then visits it in
 * topological order; a composite that a {@link TransformTranslator} knows becomes what that makes
 * of it, any other is entered.
 */
public final class PipelineTranslator extends Pipeline.PipelineVisitor.Defaults {

  private final TranslationContext context;

  private PipelineTranslator(TranslationContext context) {
    this.context = context;
  }

  /**
   * Translates a pipeline.
   *
   * @param pipeline some of its transforms are replaced by others that do the same
   * @param options given to sources when they are split
   * @param slots how many tasks can run at once, which decides how finely sources are split
   * @throws InvalidPipelineException when a step cannot be translated; names it
   * @throws IllegalArgumentException when a step cannot be serialized; names it
   */
  public static Translation translate(Pipeline pipeline, PipelineOptions options, int slots) {
    PipelineOverrides.apply(pipeline);
    TranslationContext context =
        new TranslationContext(
            options, slots, DivisibleSides.of(pipeline), StableInputs.of(pipeline));
    pipeline.traverseTopologically(new PipelineTranslator(context));
    return context.build();
  }

  @Override
  public CompositeBehavior enterCompositeTransform(TransformHierarchy.Node node) {
    if (node.isRootNode()) {
      return CompositeBehavior.ENTER_TRANSFORM;
    }
    AppliedPTransform<?, ?, ?> application = node.toAppliedPTransform(getPipeline());
    Optional<TransformTranslator> translator = TransformTranslators.find(application);
    if (translator.isEmpty()) {
      return CompositeBehavior.ENTER_TRANSFORM;
    }
    translate(application, translator.get());
    return CompositeBehavior.DO_NOT_ENTER_TRANSFORM;
  }

  @Override
  public void visitPrimitiveTransform(TransformHierarchy.Node node) {
    AppliedPTransform<?, ?, ?> application = node.toAppliedPTransform(getPipeline());
    translate(
        application,
        TransformTranslators.find(application)
            .orElseThrow(
                () ->
                    new InvalidPipelineException(
                        "Step '"
                            + application.getFullName()
                            + "' is a primitive transform that NemoRunner does not know: "
                            + application.getTransform().getClass().getName()
                            + ". Express it with ParDo, GroupByKey, Combine, Flatten, Window and"
                            + " bounded reads, or run the pipeline on another runner.")));
  }

  private void translate(AppliedPTransform<?, ?, ?> application, TransformTranslator translator) {
    context.begin(HintedSlot.of(application));
    translator.translate(application, context);
  }
}
