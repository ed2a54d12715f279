// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * Translates a pipeline of Java by way of Beam's portable graph, so that SDK harnesses run its
 * functions. Found by the {@link java.util.ServiceLoader}: the module {@code portability} has the
 * one there is. Stateless.
 */
public interface PortableTranslation {

  /**
   * The graph of a pipeline.
   *
   * @param options of the pipeline; stay as they are
   * @throws IllegalArgumentException when the pipeline cannot run; names the step or the option,
   *     and what would be right
   */
  Translation translate(Pipeline pipeline, PipelineOptions options);
}
