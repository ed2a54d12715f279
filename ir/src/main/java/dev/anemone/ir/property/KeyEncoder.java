// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

import dev.anemone.ir.function.FunctionSpec;
import java.util.Objects;

/**
 * How a key becomes bytes; keys are equal when their bytes are.
 *
 * @param spec for the front end that provides it
 */
public record KeyEncoder(FunctionSpec spec) implements EdgeProperty {

  public KeyEncoder {
    Objects.requireNonNull(spec, "spec");
  }
}
