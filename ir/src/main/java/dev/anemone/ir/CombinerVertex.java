// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import dev.anemone.ir.function.CombineSplit;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.VertexProperty;
import java.util.Objects;
import java.util.Optional;

/**
 * Combines elements before a merging vertex gets them, by the partial half of its {@link
 * CombineSplit}. There are two kinds, told apart by what they read, see {@link ShuffleAliases}:
 *
 * <ul>
 *   <li>A combiner makes accumulators of the values of one producer task, before they are shuffled;
 *       see {@link dev.anemone.ir.edit.InsertCombiner}.
 *   <li>A recombiner reads partitions of accumulators from a shuffle, and makes fewer accumulators
 *       of them, which it shuffles again; see {@link dev.anemone.ir.edit.InsertRecombiner}.
 * </ul>
 *
 * @param id unique in the DAG
 * @param name what a person calls it
 * @param operator the partial half of the consumer's {@link CombineSplit}
 * @param pass the pass that inserted it
 * @param properties execution properties
 */
public record CombinerVertex(
    String id,
    String name,
    FunctionSpec operator,
    String pass,
    ExecutionProperties<VertexProperty> properties)
    implements IRVertex {

  public CombinerVertex {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(operator, "operator");
    Objects.requireNonNull(pass, "pass");
    Objects.requireNonNull(properties, "properties");
  }

  @Override
  public CombinerVertex withProperties(ExecutionProperties<VertexProperty> newProperties) {
    return new CombinerVertex(id, name, operator, pass, newProperties);
  }

  @Override
  public Optional<String> insertedBy() {
    return Optional.of(pass);
  }
}
