// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.beam.source.TimeBoundReads;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.util.construction.SplittableParDo;
import org.apache.beam.sdk.util.construction.graph.ProjectionPushdownOptimizer;

/**
 * Replaces transforms by others that the translator can do better: reads by bounded sources, which
 * split before the job starts, reads of all fields by reads of those that are used, and reads for
 * some time by those that end then.
 */
final class PipelineOverrides {

  private PipelineOverrides() {}

  /** Changes a pipeline in place; doing it again changes nothing. */
  static void apply(Pipeline pipeline) {
    SplittableParDo.convertReadBasedSplittableDoFnsToPrimitiveReads(pipeline);
    ProjectionPushdownOptimizer.optimize(pipeline);
    pipeline.replaceAll(List.of(TimeBoundReads.override()));
  }
}
