// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.largeshuffle;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Property;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import java.util.List;
import java.util.Set;

/**
 * Runs on containers that stay what would be dear to repeat, and all else on containers that may be
 * taken away at any time. Dear is a vertex that reads a shuffle, since each of its tasks needs what
 * all tasks of its producers made; and one that reads only from such a vertex one to one, so that
 * the two run in one task. The rule is that of Pado (Yang et al., EuroSys 2017) and of Apache Nemo.
 *
 * <pre>
 * before:  lines --ONE_TO_ONE--> words --SHUFFLE--> count --ONE_TO_ONE--> write
 *
 * after:   lines  ResourcePriority TRANSIENT          count  ResourcePriority RESERVED
 *          words  ResourcePriority TRANSIENT          write  ResourcePriority RESERVED
 * </pre>
 *
 * <p>A broadcast counts for nothing: side inputs are small, and what reads one stays with its main
 * input. A vertex that reads one to one from both kinds is cheap to repeat, and is not dear:
 *
 * <pre>
 * count (RESERVED) --ONE_TO_ONE--> write, extra (TRANSIENT) --ONE_TO_ONE--> write       TRANSIENT
 * count (RESERVED) --ONE_TO_ONE--> write, names (TRANSIENT) --BROADCAST--> write        RESERVED
 * </pre>
 */
public final class TransientResourcePriorityPass implements AnnotatingPass {

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(ResourcePriority.class);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    IRDag result = dag;
    // Producers come before their consumers, so that what a vertex follows is decided.
    for (IRVertex vertex : dag.vertices()) {
      if (vertex.property(ResourcePriority.class).isEmpty()) {
        ResourcePriority priority =
            isDear(result, vertex.id()) ? ResourcePriority.RESERVED : ResourcePriority.TRANSIENT;
        result = result.apply(new SetVertexProperty(vertex.id(), priority));
      }
    }
    return result;
  }

  private static boolean isDear(IRDag dag, String vertexId) {
    List<IREdge> incoming = dag.incoming(vertexId);
    if (incoming.stream().anyMatch(edge -> edge.pattern() == CommunicationPattern.SHUFFLE)) {
      return true;
    }
    List<IREdge> direct =
        incoming.stream()
            .filter(edge -> edge.pattern() == CommunicationPattern.ONE_TO_ONE)
            .toList();
    return !direct.isEmpty()
        && direct.stream().allMatch(edge -> has(dag, edge.from(), ResourcePriority.RESERVED));
  }

  /** Whether a vertex was given a priority. */
  static boolean has(IRDag dag, String vertexId, ResourcePriority priority) {
    return dag.vertex(vertexId)
        .property(ResourcePriority.class)
        .filter(given -> given == priority)
        .isPresent();
  }
}
