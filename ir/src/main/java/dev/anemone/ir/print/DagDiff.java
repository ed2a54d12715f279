// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.print;

import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What is different between two graphs. Vertices and edges are told apart by id. Immutable.
 *
 * @param vertices differences between the vertices
 * @param edges differences between the edges
 * @param addedDependencies control dependencies that are only in the second graph
 * @param removedDependencies control dependencies that are only in the first graph
 */
public record DagDiff(
    Elements vertices,
    Elements edges,
    Set<ControlDependency> addedDependencies,
    Set<ControlDependency> removedDependencies) {

  public DagDiff {
    Objects.requireNonNull(vertices, "vertices");
    Objects.requireNonNull(edges, "edges");
    addedDependencies = Collections.unmodifiableSet(new LinkedHashSet<>(addedDependencies));
    removedDependencies = Collections.unmodifiableSet(new LinkedHashSet<>(removedDependencies));
  }

  /**
   * Differences between the vertices, or between the edges, of two graphs.
   *
   * @param added ids that are only in the second graph
   * @param removed ids that are only in the first graph
   * @param changed what changed, by id; a changed element has at least one change
   */
  public record Elements(
      Set<String> added, Set<String> removed, Map<String, List<AttributeChange>> changed) {

    public Elements {
      added = Collections.unmodifiableSet(new LinkedHashSet<>(added));
      removed = Collections.unmodifiableSet(new LinkedHashSet<>(removed));
      Map<String, List<AttributeChange>> copy = new LinkedHashMap<>();
      changed.forEach((id, changes) -> copy.put(id, List.copyOf(changes)));
      changed = Collections.unmodifiableMap(copy);
    }

    boolean isEmpty() {
      return added.isEmpty() && removed.isEmpty() && changed.isEmpty();
    }

    Mark mark(String id) {
      if (added.contains(id)) {
        return Mark.ADDED;
      }
      if (removed.contains(id)) {
        return Mark.REMOVED;
      }
      return changed.containsKey(id) ? Mark.CHANGED : Mark.SAME;
    }
  }

  /**
   * A property, or another attribute such as the operator of a vertex or the end of an edge, that
   * was set, replaced or taken away.
   *
   * @param attribute the simple name of the property's class, or the attribute's name
   * @param before short form of the value in the first graph, empty when it was not set
   * @param after short form of the value in the second graph, empty when it is not set
   */
  public record AttributeChange(String attribute, Optional<String> before, Optional<String> after) {

    public AttributeChange {
      Objects.requireNonNull(attribute, "attribute");
      Objects.requireNonNull(before, "before");
      Objects.requireNonNull(after, "after");
    }
  }

  /** The differences between two graphs. */
  public static DagDiff between(IRDag before, IRDag after) {
    Set<ControlDependency> added = new LinkedHashSet<>(after.controlDependencies());
    added.removeAll(before.controlDependencies());
    Set<ControlDependency> removed = new LinkedHashSet<>(before.controlDependencies());
    removed.removeAll(after.controlDependencies());
    return new DagDiff(
        elements(before.vertices(), after.vertices(), IRVertex::id, Attributes::of),
        elements(before.edges(), after.edges(), IREdge::id, Attributes::of),
        added,
        removed);
  }

  /** Whether the graphs are equal. */
  public boolean isEmpty() {
    return vertices.isEmpty()
        && edges.isEmpty()
        && addedDependencies.isEmpty()
        && removedDependencies.isEmpty();
  }

  private static <T> Elements elements(
      Collection<T> before,
      Collection<T> after,
      Function<T, String> id,
      Function<T, Attributes> attributes) {
    Map<String, T> removed = new LinkedHashMap<>();
    before.forEach(element -> removed.put(id.apply(element), element));
    Set<String> added = new LinkedHashSet<>();
    Map<String, List<AttributeChange>> changed = new LinkedHashMap<>();
    for (T element : after) {
      T old = removed.remove(id.apply(element));
      if (old == null) {
        added.add(id.apply(element));
      } else if (!old.equals(element)) {
        changed.put(id.apply(element), changes(attributes.apply(old), attributes.apply(element)));
      }
    }
    return new Elements(added, removed.keySet(), changed);
  }

  private static List<AttributeChange> changes(Attributes before, Attributes after) {
    Map<String, Object> old = before.all();
    Map<String, Object> now = after.all();
    Set<String> names = new TreeSet<>(old.keySet());
    names.addAll(now.keySet());
    List<AttributeChange> changes = new ArrayList<>();
    for (String name : names) {
      if (!Objects.equals(old.get(name), now.get(name))) {
        changes.add(
            new AttributeChange(
                name,
                Optional.ofNullable(old.get(name)).map(ShortForm::of),
                Optional.ofNullable(now.get(name)).map(ShortForm::of)));
      }
    }
    return changes;
  }
}
