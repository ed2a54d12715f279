// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.print;

import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * A graph as it is to be printed: what was removed from it still stands in its old place, and
 * everything is marked.
 *
 * @param vertices producers before consumers
 * @param edges in the graph's order
 * @param dependencies by ids
 */
record MarkedDag(
    List<Item<IRVertex>> vertices,
    List<Item<IREdge>> edges,
    List<Item<ControlDependency>> dependencies) {

  MarkedDag {
    vertices = List.copyOf(vertices);
    edges = List.copyOf(edges);
    dependencies = List.copyOf(dependencies);
  }

  /**
   * One vertex, edge or control dependency.
   *
   * @param mark what happened to it
   * @param element as it is now, or was before it was removed
   * @param changes what changed when it is {@link Mark#CHANGED}, otherwise empty
   */
  record Item<T>(Mark mark, T element, List<DagDiff.AttributeChange> changes) {}

  /** A graph in which nothing changed. */
  static MarkedDag of(IRDag dag) {
    return of(dag, dag);
  }

  static MarkedDag of(IRDag before, IRDag after) {
    DagDiff diff = DagDiff.between(before, after);
    List<Item<ControlDependency>> dependencies = new ArrayList<>();
    for (ControlDependency dependency : after.controlDependencies()) {
      boolean added = diff.addedDependencies().contains(dependency);
      dependencies.add(new Item<>(added ? Mark.ADDED : Mark.SAME, dependency, List.of()));
    }
    for (ControlDependency dependency : diff.removedDependencies()) {
      dependencies.add(new Item<>(Mark.REMOVED, dependency, List.of()));
    }
    dependencies.sort(
        Comparator.comparing((Item<ControlDependency> item) -> item.element().to())
            .thenComparing(item -> item.element().from()));
    return new MarkedDag(
        items(before.vertices(), after.vertices(), IRVertex::id, diff.vertices()),
        items(before.edges(), after.edges(), IREdge::id, diff.edges()),
        dependencies);
  }

  private static <T> List<Item<T>> items(
      Collection<T> before, Collection<T> after, Function<T, String> id, DagDiff.Elements diff) {
    List<Item<T>> items = new ArrayList<>();
    for (T element : after) {
      String name = id.apply(element);
      items.add(new Item<>(diff.mark(name), element, diff.changed().getOrDefault(name, List.of())));
    }
    int place = 0;
    for (T element : before) {
      String name = id.apply(element);
      if (diff.removed().contains(name)) {
        items.add(place++, new Item<>(Mark.REMOVED, element, List.of()));
      } else {
        place = 1 + indexOf(items, id, name);
      }
    }
    return items;
  }

  private static <T> int indexOf(List<Item<T>> items, Function<T, String> id, String name) {
    for (int i = 0; i < items.size(); i++) {
      if (id.apply(items.get(i).element()).equals(name)) {
        return i;
      }
    }
    throw new IllegalStateException(name + " is neither removed nor there");
  }

  long count(Mark mark) {
    return vertices.stream().filter(item -> item.mark() == mark).count()
        + edges.stream().filter(item -> item.mark() == mark).count()
        + dependencies.stream().filter(item -> item.mark() == mark).count();
  }
}
