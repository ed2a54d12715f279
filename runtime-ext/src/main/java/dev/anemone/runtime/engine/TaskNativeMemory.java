// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.NativeMemory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How much native memory a task of a job may take at once. One figure for all tasks, since a
 * container is used for tasks of any stage, and whatever passes at run time make a stage of.
 */
public final class TaskNativeMemory {

  /** For each vertex another one that may be in its stage, itself in the end. */
  private final Map<String, String> together = new HashMap<>();

  /** What a source reads. */
  private record Read(FunctionSpec function, List<SourcePart> parts) {}

  private TaskNativeMemory() {}

  /**
   * A bound in bytes for every way to divide the graph into stages: operators of a task run at the
   * same time, its sources one after the other. Only one-to-one edges are inside of a stage, and
   * passes may make one of sources that read the same. Samples are tasks of what they are samples
   * of.
   */
  public static long boundOf(IRDag dag) {
    return new TaskNativeMemory().bound(dag);
  }

  private long bound(IRDag dag) {
    List<IRVertex> vertices =
        dag.vertices().stream().filter(vertex -> !(vertex instanceof SampledVertex)).toList();
    for (IREdge edge : dag.edges()) {
      if (edge.pattern() == CommunicationPattern.ONE_TO_ONE) {
        join(edge.from(), edge.to());
      }
    }
    Map<Read, String> sources = new HashMap<>();
    for (IRVertex vertex : vertices) {
      if (vertex instanceof SourceVertex source) {
        Read what = new Read(source.source(), source.parts());
        join(source.id(), sources.computeIfAbsent(what, read -> source.id()));
      }
    }
    return vertices.stream()
        .collect(Collectors.groupingBy(vertex -> group(vertex.id())))
        .values()
        .stream()
        .mapToLong(TaskNativeMemory::ofOneTask)
        .max()
        .orElse(0);
  }

  private void join(String one, String other) {
    together.put(group(one), group(other));
  }

  private String group(String vertex) {
    String group = vertex;
    while (together.containsKey(group) && !together.get(group).equals(group)) {
      group = together.get(group);
    }
    return group;
  }

  private static long ofOneTask(List<IRVertex> vertices) {
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
