// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.function;

import java.util.Arrays;
import java.util.Objects;

/**
 * What a front end wants to be run, opaque to the IR: a URN that says who understands it, and a
 * payload for that reader. Two specs are equal when URN and payload bytes are.
 *
 * <p>Immutable and thread-safe.
 */
public final class FunctionSpec {

  private final String urn;
  private final byte[] payload;

  private FunctionSpec(String urn, byte[] payload) {
    this.urn = Objects.requireNonNull(urn, "urn");
    this.payload = payload;
  }

  /** A spec without payload. */
  public static FunctionSpec of(String urn) {
    return new FunctionSpec(urn, new byte[0]);
  }

  /** A spec with a copy of {@code payload}. */
  public static FunctionSpec of(String urn, byte[] payload) {
    return new FunctionSpec(urn, payload.clone());
  }

  /** Names the reader of the payload, for example {@code anemone:beam:par_do:v1}. */
  public String urn() {
    return urn;
  }

  /** A copy of the payload. */
  public byte[] payload() {
    return payload.clone();
  }

  /** Size of the payload in bytes. */
  public int payloadSize() {
    return payload.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FunctionSpec that
        && urn.equals(that.urn)
        && Arrays.equals(payload, that.payload);
  }

  @Override
  public int hashCode() {
    return 31 * urn.hashCode() + Arrays.hashCode(payload);
  }

  @Override
  public String toString() {
    return urn + "[" + payload.length + " bytes]";
  }
}
