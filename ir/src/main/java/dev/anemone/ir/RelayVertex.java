// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import dev.anemone.ir.property.VertexProperty;
import java.util.Objects;
import java.util.Optional;

/**
 * Hands on what it receives, unchanged: between two shuffles it aggregates the blocks of many
 * producers (disk read batching), otherwise it materialises an edge. See {@link
 * dev.anemone.ir.edit.InsertRelay}.
 *
 * @param id unique in the DAG
 * @param name what a person calls it
 * @param pass the pass that inserted it
 * @param properties execution properties
 */
public record RelayVertex(
    String id, String name, String pass, ExecutionProperties<VertexProperty> properties)
    implements IRVertex {

  public RelayVertex {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(pass, "pass");
    Objects.requireNonNull(properties, "properties");
  }

  @Override
  public RelayVertex withProperties(ExecutionProperties<VertexProperty> newProperties) {
    return new RelayVertex(id, name, pass, newProperties);
  }

  @Override
  public Optional<String> insertedBy() {
    return Optional.of(pass);
  }
}
