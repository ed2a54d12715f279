// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

import dev.anemone.ir.function.FunctionSpec;
import java.util.Objects;

/**
 * Finds the key of an element, which a shuffle partitions and groups by.
 *
 * @param spec for the front end that provides it
 * @param constant whether all elements are known to have the same key, so that one partition holds
 *     all of them, as those of a global aggregate do
 */
public record KeyExtractor(FunctionSpec spec, boolean constant) implements EdgeProperty {

  public KeyExtractor {
    Objects.requireNonNull(spec, "spec");
  }

  /** Of elements of which nothing is known about the number of their keys. */
  public KeyExtractor(FunctionSpec spec) {
    this(spec, false);
  }
}
