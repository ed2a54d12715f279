// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.ir.IRVertex;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.values.PCollectionView;

/** A transform that the runner takes as it is: as a chain of vertices over batches. */
public interface BatchTransform {

  /**
   * Its vertices, of which each reads the one before it, and the first the transform's input, if
   * there is one.
   *
   * @param stepName its full name
   * @param ids gives each vertex its id
   */
  List<IRVertex> vertices(String stepName, PipelineOptions options, Supplier<String> ids);

  /** Whether the first vertex reads the transform's input, of pairs, grouped by key. */
  default boolean readsGroups() {
    return false;
  }

  /**
   * Of what all is beside each task of the first vertex, by the name of the vertex's side input.
   */
  default Map<String, PCollectionView<?>> sideInputs() {
    return Map.of();
  }
}
