// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.ir.IRVertex;
import java.util.List;
import java.util.function.Supplier;
import org.apache.beam.sdk.options.PipelineOptions;

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
}
