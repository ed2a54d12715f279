// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.PushdownCosts;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a source's reader does itself to what it reads, before its elements go on.
 *
 * @param filters what rows must be like that anybody has a use for; they come before all operators,
 *     where these are run, and may be left out
 * @param pushed operators that a pass cut into the source, in order: the storage side may run them,
 *     and the reader runs those that it did not
 * @param absorbed the operators that follow the source in its stage and that {@link
 *     FunctionProvider#absorbs} names, in order, after the others
 * @param costs by which the reader decides about each part how many are pushed; empty for all
 */
public record SourceOperators(
    List<FunctionSpec> filters,
    List<FunctionSpec> pushed,
    List<FunctionSpec> absorbed,
    Optional<PushdownCosts> costs) {

  /** A reader that only reads. */
  public static final SourceOperators NONE =
      new SourceOperators(List.of(), List.of(), List.of(), Optional.empty());

  public SourceOperators {
    filters = List.copyOf(filters);
    pushed = List.copyOf(pushed);
    absorbed = List.copyOf(absorbed);
    Objects.requireNonNull(costs, "costs");
  }
}
