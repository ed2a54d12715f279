// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

import dev.anemone.ir.function.FunctionSpec;
import java.util.Objects;

/**
 * How a consumer turns bytes into elements.
 *
 * @param spec for the front end that provides it
 */
public record Decoder(FunctionSpec spec) implements EdgeProperty {

  public Decoder {
    Objects.requireNonNull(spec, "spec");
  }
}
