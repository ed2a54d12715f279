// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.EdgeProperty;
import java.util.Objects;
import java.util.Optional;

/**
 * Data that flows from one output of a vertex to one input of another. Several edges may enter the
 * same input: it reads their union. Immutable.
 *
 * @param id unique in the DAG
 * @param from id of the producing vertex
 * @param output which of the producer's outputs; {@link #MAIN} when it has only one
 * @param to id of the consuming vertex
 * @param input which of the consumer's inputs; {@link #MAIN} for the one that it iterates, any
 *     other name for a side input
 * @param elementCoder codes an element, as the front end knows it
 * @param properties execution properties; {@link CommunicationPattern} is always set
 */
public record IREdge(
    String id,
    String from,
    String output,
    String to,
    String input,
    FunctionSpec elementCoder,
    ExecutionProperties<EdgeProperty> properties) {

  /** The name of a vertex's only output, and of the input that it iterates. */
  public static final String MAIN = "main";

  public IREdge {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(output, "output");
    Objects.requireNonNull(to, "to");
    Objects.requireNonNull(input, "input");
    Objects.requireNonNull(elementCoder, "elementCoder");
    if (properties.get(CommunicationPattern.class).isEmpty()) {
      throw new IllegalArgumentException(
          "edge " + id + " from " + from + " to " + to + " has no communication pattern");
    }
  }

  /** An edge between main ports with nothing but its pattern set. */
  public static IREdge of(
      String id, String from, String to, CommunicationPattern pattern, FunctionSpec coder) {
    return new IREdge(id, from, MAIN, to, MAIN, coder, ExecutionProperties.of(pattern));
  }

  public CommunicationPattern pattern() {
    return properties.get(CommunicationPattern.class).orElseThrow();
  }

  /** The value of a property, if it is set. */
  public <P extends EdgeProperty> Optional<P> property(Class<P> type) {
    return properties.get(type);
  }

  public IREdge withProperties(ExecutionProperties<EdgeProperty> newProperties) {
    return new IREdge(id, from, output, to, input, elementCoder, newProperties);
  }

  /** The same edge with one property set or replaced. */
  public IREdge with(EdgeProperty property) {
    return withProperties(properties.with(property));
  }

  public IREdge withElementCoder(FunctionSpec newCoder) {
    return new IREdge(id, from, output, to, input, newCoder, properties);
  }

  /** The same edge from another vertex's output. */
  public IREdge withSource(String newFrom, String newOutput) {
    return new IREdge(id, newFrom, newOutput, to, input, elementCoder, properties);
  }

  /** The same edge to another vertex's input. */
  public IREdge withDestination(String newTo, String newInput) {
    return new IREdge(id, from, output, newTo, newInput, elementCoder, properties);
  }
}
