// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.schema.SchemaParts;
import dev.anemone.beam.translation.PipelineTranslator;
import dev.anemone.beam.translation.PortableTranslation;
import dev.anemone.beam.translation.Translation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * How a pipeline of Java becomes a graph: step by step, or, where it has steps of other SDKs or
 * asks for harnesses, by way of Beam's portable graph.
 *
 * @param translator makes the graph, given how many tasks can run at once
 * @param inRows why parts of its queries run in rows
 */
record PipelineWay(IntFunction<Translation> translator, List<String> inRows) {

  /**
   * The way of a pipeline; its transforms may be replaced by others that do the same. Empty if
   * there is nothing to run.
   *
   * @throws InvalidPipelineException when the pipeline cannot run; names the steps and what they
   *     use
   */
  static Optional<PipelineWay> of(Pipeline pipeline, PipelineOptions options) {
    Optional<PortableTranslation> portable = PortableWay.of(pipeline, options);
    if (portable.isPresent()) {
      return PipelineCheck.hasSteps(pipeline, EnumSet.of(UnsupportedFeature.CROSS_LANGUAGE))
          ? Optional.of(
              new PipelineWay(slots -> portable.get().translate(pipeline, options), List.of()))
          : Optional.empty();
    }
    if (!PipelineCheck.hasSteps(pipeline)) {
      return Optional.empty();
    }
    List<String> inRows = new ArrayList<>(ColumnNotes.of(pipeline));
    inRows.addAll(SchemaParts.replaceIn(pipeline));
    return Optional.of(
        new PipelineWay(slots -> PipelineTranslator.translate(pipeline, options, slots), inRows));
  }
}
