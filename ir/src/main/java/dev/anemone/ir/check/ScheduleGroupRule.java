// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.property.ScheduleGroup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Along a path schedule groups never decrease, even across vertices that have none yet. Control
 * dependencies are part of a path: a vertex must not be in an earlier group than one that it waits
 * for.
 */
public final class ScheduleGroupRule implements CheckRule {

  @Override
  public String name() {
    return "schedule-group";
  }

  /** The latest group among the vertices that lead to a vertex. */
  private record Latest(int group, String vertexId) {}

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    Map<String, Latest> latest = new HashMap<>();
    for (IRVertex vertex : dag.vertices()) {
      Latest before = null;
      for (IREdge edge : dag.incoming(vertex.id())) {
        before = later(before, latest.get(edge.from()));
      }
      Latest own =
          vertex
              .property(ScheduleGroup.class)
              .map(group -> new Latest(group.group(), vertex.id()))
              .orElse(null);
      if (own != null && before != null && own.group() < before.group()) {
        violations.add(vertex, describe(own, before));
      }
      latest.put(vertex.id(), later(before, own));
    }
    for (ControlDependency dependency : dag.controlDependencies()) {
      Latest from = latest.get(dependency.from());
      IRVertex waiting = dag.vertex(dependency.to());
      waiting
          .property(ScheduleGroup.class)
          .filter(group -> from != null && group.group() < from.group())
          .ifPresent(
              group ->
                  violations.add(waiting, describe(new Latest(group.group(), waiting.id()), from)));
    }
    return violations.list();
  }

  private static String describe(Latest own, Latest before) {
    return "is in schedule group "
        + own.group()
        + ", but waits for "
        + before.vertexId()
        + " in the later group "
        + before.group();
  }

  private static Latest later(Latest first, Latest second) {
    if (first == null || second == null) {
      return first == null ? second : first;
    }
    return second.group() > first.group() ? second : first;
  }
}
