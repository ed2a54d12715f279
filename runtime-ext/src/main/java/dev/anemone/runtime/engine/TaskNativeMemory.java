// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.NativeMemory;
import java.util.List;

/**
 * How much native memory a task of a job may take at once. One figure for all tasks, since a
 * container is used for tasks of any stage, and known before passes have decided what becomes a
 * stage.
 */
public final class TaskNativeMemory {

  private TaskNativeMemory() {}

  /**
   * A bound in bytes for every way to divide the graph into stages: operators of a task run at the
   * same time, its sources one after the other. Samples are tasks of what they are samples of.
   */
  public static long boundOf(IRDag dag) {
    List<IRVertex> vertices =
        dag.vertices().stream().filter(vertex -> !(vertex instanceof SampledVertex)).toList();
    long sources =
        vertices.stream()
            .filter(SourceVertex.class::isInstance)
            .mapToLong(TaskNativeMemory::bytes)
            .max()
            .orElse(0);
    return vertices.stream()
        .filter(vertex -> !(vertex instanceof SourceVertex))
        .mapToLong(TaskNativeMemory::bytes)
        .reduce(sources, Math::addExact);
  }

  private static long bytes(IRVertex vertex) {
    return vertex.property(NativeMemory.class).map(NativeMemory::bytes).orElse(0L);
  }
}
