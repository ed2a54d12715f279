// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

import dev.anemone.ir.function.FunctionSpec;
import java.util.Objects;

/**
 * How a producer turns elements into bytes.
 *
 * @param spec for the front end that provides it
 */
public record Encoder(FunctionSpec spec) implements EdgeProperty {

  public Encoder {
    Objects.requireNonNull(spec, "spec");
  }

  /** Bytes are handed on as they are: for relays, which need not look inside. */
  public static final FunctionSpec RAW_BYTES = FunctionSpec.of("anemone:raw_bytes:v1");
}
