// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import org.apache.beam.sdk.runners.AppliedPTransform;

/**
 * Translates one kind of transform. Stateless.
 *
 * <p>A translator adds what the transform needs to the graph, and says for every output {@link
 * org.apache.beam.sdk.values.PCollection} which vertices make it.
 */
interface TransformTranslator {

  /**
   * Whether this translator can do this application of the transform. If not, a composite is
   * translated by its parts.
   */
  default boolean canTranslate(AppliedPTransform<?, ?, ?> application) {
    return true;
  }

  /**
   * Adds the transform to the graph.
   *
   * @throws dev.anemone.beam.options.InvalidPipelineException when the transform cannot run as it
   *     is
   */
  void translate(AppliedPTransform<?, ?, ?> application, TranslationContext context);
}
