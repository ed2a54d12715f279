// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import java.util.List;
import java.util.Objects;

/**
 * Several passes under one name and one condition. What a part requires may be inside the composite
 * or before it.
 */
public non-sealed interface CompositePass extends CompileTimePass {

  /** The parts. The harness runs them in this order, except where {@link #requires} says not to. */
  List<CompileTimePass> passes();

  /** A composite that always applies. */
  static CompositePass of(String name, CompileTimePass... passes) {
    return new Named(name, PassCondition.ALWAYS, List.of(passes));
  }

  /** A composite that applies only under a condition. */
  static CompositePass when(PassCondition condition, String name, CompileTimePass... passes) {
    return new Named(name, condition, List.of(passes));
  }

  /**
   * A composite put together from parts.
   *
   * @param name what a person calls it
   * @param condition when it applies
   * @param passes its parts
   */
  record Named(String name, PassCondition condition, List<CompileTimePass> passes)
      implements CompositePass {

    public Named {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(condition, "condition");
      passes = List.copyOf(passes);
    }
  }
}
