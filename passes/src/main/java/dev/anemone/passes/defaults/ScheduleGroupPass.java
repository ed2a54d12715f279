// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.Property;
import dev.anemone.ir.property.ScheduleGroup;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.graph.Annotator;
import dev.anemone.passes.graph.Coscheduling;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Numbers the vertices by when they can run. Vertices that one-to-one edges fuse into a stage, and
 * the ends of a push edge, share a number; over a pull edge between stages and over a control
 * dependency the number rises.
 *
 * <pre>
 * before:  lines --ONE_TO_ONE--> words --SHUFFLE PULL--> count
 *
 * after:   lines  ScheduleGroup[group=0]
 *          words  ScheduleGroup[group=0]
 *          count  ScheduleGroup[group=1]
 * </pre>
 *
 * <p>A one-to-one edge whose consumer also waits for its producer over another way does not fuse,
 * so it counts as an edge between stages. Of two branches that do not wait for each other neither
 * waits: they have the same numbers.
 */
public final class ScheduleGroupPass implements AnnotatingPass {

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(ScheduleGroup.class);
  }

  @Override
  public Set<Class<? extends Property>> reads() {
    return Set.of(DataFlow.class);
  }

  @Override
  public Set<String> requires() {
    return Set.of(DataFlowPass.class.getName());
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    if (dag.vertices().stream().allMatch(v -> v.property(ScheduleGroup.class).isPresent())) {
      return dag;
    }
    Coscheduling coscheduling = new Coscheduling(dag);
    for (IREdge edge : dag.edges()) {
      if (Coscheduling.pushes(edge) && !coscheduling.join(edge, Coscheduling::pushes)) {
        throw new IllegalArgumentException(
            "edge "
                + edge.id()
                + " pushes, so that "
                + edge.from()
                + " and "
                + edge.to()
                + " must run at the same time, but "
                + edge.to()
                + " waits for "
                + edge.from()
                + " over another way, or they were given different schedule groups; let the edge"
                + " pull");
      }
    }
    Map<String, ScheduleGroup> groups = coscheduling.groups();
    return Annotator.vertices(
        dag, ScheduleGroup.class, vertex -> Optional.of(groups.get(vertex.id())));
  }
}
