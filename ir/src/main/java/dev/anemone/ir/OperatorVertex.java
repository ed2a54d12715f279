// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import dev.anemone.ir.function.CombineSplit;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.VertexProperty;
import java.util.Collections;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A vertex that runs a function of the front end on its inputs.
 *
 * @param id unique in the DAG
 * @param name what a person calls it
 * @param operator the function that runs now
 * @param combine how the function can be split into a partial and a merging half, if it can
 * @param traits what passes may assume of the function
 * @param properties execution properties
 */
public record OperatorVertex(
    String id,
    String name,
    FunctionSpec operator,
    Optional<CombineSplit> combine,
    Set<OperatorTrait> traits,
    ExecutionProperties<VertexProperty> properties)
    implements IRVertex {

  public OperatorVertex {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(operator, "operator");
    Objects.requireNonNull(combine, "combine");
    // Sorted, so that equal vertices print and serialise alike.
    traits = Collections.unmodifiableSet(new TreeSet<>(traits));
    Objects.requireNonNull(properties, "properties");
  }

  /** An operator as a front end makes it: no traits, cannot be split, no properties. */
  public static OperatorVertex of(String id, String name, FunctionSpec operator) {
    return new OperatorVertex(
        id, name, operator, Optional.empty(), Set.of(), ExecutionProperties.empty());
  }

  /** The same vertex with other traits. */
  public OperatorVertex withTraits(Set<OperatorTrait> newTraits) {
    return new OperatorVertex(id, name, operator, combine, newTraits, properties);
  }

  /** The same vertex, splittable. */
  public OperatorVertex withCombine(CombineSplit split) {
    return new OperatorVertex(id, name, operator, Optional.of(split), traits, properties);
  }

  /** The same vertex running another function. */
  public OperatorVertex withOperator(FunctionSpec newOperator) {
    return new OperatorVertex(id, name, newOperator, combine, traits, properties);
  }

  /** Whether a combiner was lifted out of this vertex, so that it merges partial results. */
  public boolean isMerging() {
    return combine.isPresent() && combine.get().merging().equals(operator);
  }

  @Override
  public OperatorVertex withProperties(ExecutionProperties<VertexProperty> newProperties) {
    return new OperatorVertex(id, name, operator, combine, traits, newProperties);
  }

  @Override
  public Optional<String> insertedBy() {
    return Optional.empty();
  }
}
