// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.DagEdit;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.Property;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Verifies that a pass came to its result by edits, and only by those that its kind allows.
 * Vertices and edges are immutable values, so the graph that the pass got is a sound thing to
 * compare with.
 */
final class EditAudit {

  private EditAudit() {}

  /**
   * The edits that lead from one graph to the other.
   *
   * @throws PassException when the edits that the result records do not do so
   */
  static List<DagEdit> newEdits(String path, IRDag before, IRDag after) {
    List<DagEdit> earlier = before.edits();
    List<DagEdit> all = after.edits();
    if (all.size() < earlier.size() || !all.subList(0, earlier.size()).equals(earlier)) {
      throw unsafeReshape(path, "its result does not descend from the graph that it was given");
    }
    List<DagEdit> added = all.subList(earlier.size(), all.size());
    IRDag replayed = before;
    for (DagEdit edit : added) {
      replayed = edit.applyTo(replayed);
    }
    if (!replayed.equals(after)) {
      throw unsafeReshape(path, "its result differs from what its edits make of the graph");
    }
    return added;
  }

  private static PassException unsafeReshape(String path, String how) {
    return new PassException(
        path,
        "made an unsafe reshape: "
            + how
            + ". A pass must change a graph by IRDag.apply(edit) only, never by a builder.");
  }

  /** Refuses anything but properties of the declared types. */
  static void requireDeclared(
      String path, List<DagEdit> edits, Set<Class<? extends Property>> declared) {
    for (DagEdit edit : edits) {
      Property property = propertyOf(edit);
      if (property == null) {
        throw new PassException(
            path, "is an annotating pass but reshaped the graph by " + edit + ".");
      }
      if (!declared.contains(property.type())) {
        throw new PassException(
            path,
            "set "
                + property.type().getSimpleName()
                + " of "
                + targetOf(edit)
                + ", which it does not declare in annotates().");
      }
    }
  }

  /** Refuses properties of vertices and edges that were there before. */
  static void requireOnlyOwnProperties(String path, List<DagEdit> edits, IRDag before) {
    for (DagEdit edit : edits) {
      boolean old =
          (edit instanceof SetVertexProperty vertex && before.hasVertex(vertex.vertexId()))
              || (edit instanceof SetEdgeProperty edge && before.hasEdge(edge.edgeId()));
      if (old) {
        throw new PassException(
            path,
            "is a reshaping pass but set "
                + propertyOf(edit)
                + " of "
                + targetOf(edit)
                + ", which it did not insert. Leave that to an annotating pass.");
      }
    }
  }

  /** Refuses what {@link RunTimePass#apply} says a run-time pass must not do. */
  static void requireNotStarted(
      String path, List<DagEdit> edits, IRDag before, Set<String> started) {
    for (DagEdit edit : edits) {
      if (edit instanceof SetVertexProperty vertex) {
        if (started.contains(vertex.vertexId())) {
          throw touchedStarted(path, edit, vertex.vertexId());
        }
      } else if (edit instanceof SetEdgeProperty set) {
        var edge = before.edge(set.edgeId());
        if (started.contains(edge.to())) {
          throw touchedStarted(path, edit, edge.to());
        }
        if (started.contains(edge.from()) && !ConsumerSide.owns(set.property())) {
          throw touchedStarted(path, edit, edge.from());
        }
      } else {
        throw new PassException(path, "is a run-time pass but reshaped the graph by " + edit + ".");
      }
    }
  }

  /** Refuses a changed number of tasks, unless the vertex may lose some and does. */
  static void requireResizable(
      String path, List<DagEdit> edits, IRDag before, Set<String> resizable) {
    for (DagEdit edit : edits) {
      if (!(edit instanceof SetVertexProperty set
          && set.property() instanceof Parallelism parallelism)) {
        continue;
      }
      Optional<Parallelism> present = before.vertex(set.vertexId()).property(Parallelism.class);
      if (present.equals(Optional.of(parallelism))) {
        continue;
      }
      if (!resizable.contains(set.vertexId())) {
        throw new PassException(
            path,
            "set "
                + parallelism
                + " of vertex "
                + set.vertexId()
                + ", whose number of tasks is fixed. Only these vertices can get fewer tasks: "
                + resizable
                + ".");
      }
      if (present.isEmpty() || parallelism.tasks() > present.get().tasks()) {
        throw new PassException(
            path,
            "set "
                + parallelism
                + " of vertex "
                + set.vertexId()
                + ", which has "
                + present.map(tasks -> tasks.tasks() + " tasks").orElse("no number of tasks yet")
                + ". While the job runs a vertex can only get fewer.");
      }
    }
  }

  private static PassException touchedStarted(String path, DagEdit edit, String vertexId) {
    return new PassException(
        path,
        "set "
            + propertyOf(edit)
            + " of "
            + targetOf(edit)
            + ", but tasks of vertex "
            + vertexId
            + " have started.");
  }

  /** The property that an edit sets, null when it does something else. */
  private static Property propertyOf(DagEdit edit) {
    if (edit instanceof SetVertexProperty vertex) {
      return vertex.property();
    }
    return edit instanceof SetEdgeProperty edge ? edge.property() : null;
  }

  private static String targetOf(DagEdit edit) {
    if (edit instanceof SetVertexProperty vertex) {
      return "vertex " + vertex.vertexId();
    }
    return edit instanceof SetEdgeProperty edge ? "edge " + edge.edgeId() : edit.toString();
  }
}
