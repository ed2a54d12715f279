// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.SplitAssignment;
import dev.anemone.ir.property.VertexProperty;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A vertex that reads data from outside.
 *
 * @param id unique in the DAG
 * @param name what a person calls it
 * @param source what all parts have in common, for the operator that reads them
 * @param parts what can be read independently, in the source's order; never empty
 * @param pushed operators that the storage side runs on each part's records, in this order, see
 *     {@link dev.anemone.ir.edit.CutIntoSource}
 * @param properties execution properties
 */
public record SourceVertex(
    String id,
    String name,
    FunctionSpec source,
    List<SourcePart> parts,
    List<OperatorVertex> pushed,
    ExecutionProperties<VertexProperty> properties)
    implements IRVertex {

  public SourceVertex {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(source, "source");
    parts = List.copyOf(parts);
    pushed = List.copyOf(pushed);
    Objects.requireNonNull(properties, "properties");
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("source vertex " + id + " has no parts to read");
    }
  }

  /** A source as a front end makes it: nothing pushed down, no properties. */
  public static SourceVertex of(
      String id, String name, FunctionSpec source, List<SourcePart> parts) {
    return new SourceVertex(id, name, source, parts, List.of(), ExecutionProperties.empty());
  }

  /** Estimated size of all parts in bytes. */
  public long sizeBytes() {
    return parts.stream().mapToLong(SourcePart::sizeBytes).sum();
  }

  /** The indices of the parts that a task reads, in this order: its own unless it is said. */
  public List<Integer> partsOfTask(int task) {
    return property(SplitAssignment.class)
        .map(assignment -> assignment.perTask().get(task))
        .orElseGet(() -> List.of(task));
  }

  /** The same source with other parts. */
  public SourceVertex withParts(List<SourcePart> newParts) {
    return new SourceVertex(id, name, source, newParts, pushed, properties);
  }

  @Override
  public SourceVertex withProperties(ExecutionProperties<VertexProperty> newProperties) {
    return new SourceVertex(id, name, source, parts, pushed, newProperties);
  }

  /** The same source with other operators pushed down to the storage side. */
  public SourceVertex withPushed(List<OperatorVertex> newPushed) {
    return new SourceVertex(id, name, source, parts, newPushed, properties);
  }

  @Override
  public Optional<String> insertedBy() {
    return Optional.empty();
  }
}
