// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.terminal;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.SplitAssignment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How much each task of a source reads, as far as sources say.
 *
 * @param perTask estimated bytes by the id of the source's vertex and the index of the task
 */
record SourceSizes(Map<String, List<Long>> perTask) {

  /** Of a job whose sources are not known. */
  static final SourceSizes UNKNOWN = new SourceSizes(Map.of());

  SourceSizes {
    perTask = Map.copyOf(perTask);
  }

  /** Of the plan that a job runs. */
  static SourceSizes of(IRDag plan) {
    Map<String, List<Long>> sizes = new HashMap<>();
    for (IRVertex vertex : plan.vertices()) {
      if (vertex instanceof SourceVertex source && source.sizeBytes() > 0) {
        List<Long> parts = source.parts().stream().map(SourcePart::sizeBytes).toList();
        sizes.put(
            source.id(),
            source
                .property(SplitAssignment.class)
                .map(assignment -> assignment.perTask().stream().map(p -> sum(parts, p)).toList())
                .orElse(parts));
      }
    }
    return new SourceSizes(sizes);
  }

  private static long sum(List<Long> parts, List<Integer> read) {
    return read.stream().mapToLong(parts::get).sum();
  }

  /** Of the source among the vertices of a stage; empty when there is none, or it has no sizes. */
  Optional<List<Long>> ofStage(List<String> vertices) {
    return vertices.stream().map(perTask::get).filter(sizes -> sizes != null).findFirst();
  }
}
