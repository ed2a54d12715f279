package dev.anemone.beam.translation;

import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.runners.PTransformOverride;
import org.apache.beam.sdk.util.construction.PTransformMatchers;
import org.apache.beam.sdk.util.construction.PTransformTranslation;
import org.apache.beam.sdk.util.construction.SplittableParDo;
import org.apache.beam.sdk.util.construction.SplittableParDoNaiveBounded;
import org.apache.beam.sdk.util.construction.graph.ProjectionPushdownOptimizer;

/**
 * Replaces transforms by others that the translator knows: reads by bounded sources, which split
 * before the job starts, and splittable DoFns by plain ones that process a whole restriction.
 */
final class PipelineOverrides {

  // Beam wants runners to expand splittable DoFns themselves, but offers nothing else to Java ones.
  @SuppressWarnings("deprecation")
  private static final List<PTransformOverride> OVERRIDES =
      List.of(
          PTransformOverride.of(
              PTransformMatchers.splittableParDoMulti(), new SplittableParDo.OverrideFactory<>()),
          PTransformOverride.of(
              PTransformMatchers.urnEqualTo(PTransformTranslation.SPLITTABLE_PROCESS_KEYED_URN),
              new SplittableParDoNaiveBounded.OverrideFactory<>()));

  private PipelineOverrides() {}

  /** Changes a pipeline in place; doing it again changes nothing. */
  static void apply(Pipeline pipeline) {
    SplittableParDo.convertReadBasedSplittableDoFnsToPrimitiveReads(pipeline);
    ProjectionPushdownOptimizer.optimize(pipeline);
    pipeline.replaceAll(OVERRIDES);
  }
}
