// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

import dev.anemone.ir.function.FunctionSpec;
import java.util.Objects;

/**
 * Finds the key of an element, which a shuffle partitions and groups by.
 *
 * @param spec for the front end that provides it
 */
public record KeyExtractor(FunctionSpec spec) implements EdgeProperty {

  public KeyExtractor {
    Objects.requireNonNull(spec, "spec");
  }
}
