// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.VertexProperty;
import java.util.Objects;
import java.util.Optional;

/**
 * Measures, in each task, what flows through it, and hands the measurements to a {@link
 * MetricAggregationVertex}. It has no output but measurements.
 *
 * @param id unique in the DAG
 * @param name what a person calls it
 * @param messageId joins collection, aggregation and the run-time pass that takes the message
 * @param measured id of the shuffle whose data it measures
 * @param pass the pass that inserted it
 * @param properties execution properties
 */
public record MetricCollectionVertex(
    String id,
    String name,
    String messageId,
    String measured,
    String pass,
    ExecutionProperties<VertexProperty> properties)
    implements IRVertex {

  /** Codes the messages that a collection sends to its aggregation. */
  public static final FunctionSpec MESSAGE_CODER = FunctionSpec.of("anemone:message:v1");

  public MetricCollectionVertex {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(messageId, "messageId");
    Objects.requireNonNull(measured, "measured");
    Objects.requireNonNull(pass, "pass");
    Objects.requireNonNull(properties, "properties");
  }

  @Override
  public MetricCollectionVertex withProperties(ExecutionProperties<VertexProperty> newProperties) {
    return new MetricCollectionVertex(id, name, messageId, measured, pass, newProperties);
  }

  @Override
  public Optional<String> insertedBy() {
    return Optional.of(pass);
  }
}
