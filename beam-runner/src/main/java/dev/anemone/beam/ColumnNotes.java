// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.columnar.PartsInRows;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.runners.TransformHierarchy.Node;

/** Says why parts of a pipeline's queries are run in rows. */
final class ColumnNotes extends Pipeline.PipelineVisitor.Defaults {

  private final List<String> notes = new ArrayList<>();

  private ColumnNotes() {}

  /** A sentence for each reason of a query, for a pipeline as the user made it. */
  static List<String> of(Pipeline pipeline) {
    ColumnNotes found = new ColumnNotes();
    pipeline.traverseTopologically(found);
    return List.copyOf(found.notes);
  }

  @Override
  public CompositeBehavior enterCompositeTransform(Node node) {
    if (node.getTransform() instanceof PartsInRows query) {
      // The step around it has the name that the user gave the query.
      String step = node.getEnclosingNode().getFullName();
      query
          .reasons()
          .forEach(
              reason -> notes.add("a part of '" + step + "' runs in rows, because of " + reason));
    }
    return CompositeBehavior.ENTER_TRANSFORM;
  }
}
