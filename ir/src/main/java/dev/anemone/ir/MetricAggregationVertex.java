// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import dev.anemone.ir.property.VertexProperty;
import java.util.Objects;
import java.util.Optional;

/**
 * Merges the measurements of {@link MetricCollectionVertex} tasks into one message for run-time
 * passes.
 *
 * @param id unique in the DAG
 * @param name what a person calls it
 * @param messageId joins collection, aggregation and the run-time pass that takes the message
 * @param pass the pass that inserted it
 * @param properties execution properties
 */
public record MetricAggregationVertex(
    String id,
    String name,
    String messageId,
    String pass,
    ExecutionProperties<VertexProperty> properties)
    implements IRVertex {

  public MetricAggregationVertex {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(messageId, "messageId");
    Objects.requireNonNull(pass, "pass");
    Objects.requireNonNull(properties, "properties");
  }

  @Override
  public MetricAggregationVertex withProperties(ExecutionProperties<VertexProperty> newProperties) {
    return new MetricAggregationVertex(id, name, messageId, pass, newProperties);
  }

  @Override
  public Optional<String> insertedBy() {
    return Optional.of(pass);
  }
}
