// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import dev.anemone.runtime.record.ByteSink;
import java.util.Arrays;

/**
 * The encoding of a key, as a key of a hash map. One that is {@linkplain #of made} keeps its bytes;
 * one that is {@linkplain #set set} again and again serves to look others up.
 */
final class EncodedKey {

  private byte[] bytes = {};
  private int length;
  private int hash;

  /** A copy of what the sink holds. */
  static EncodedKey of(ByteSink sink) {
    EncodedKey key = new EncodedKey();
    key.set(sink);
    key.bytes = Arrays.copyOf(key.bytes, key.length);
    return key;
  }

  /** Stands for what the sink holds, until that changes. */
  void set(ByteSink sink) {
    bytes = sink.array();
    length = sink.length();
    int sum = 1;
    for (int i = 0; i < length; i++) {
      sum = 31 * sum + bytes[i];
    }
    hash = sum;
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public boolean equals(Object object) {
    return object instanceof EncodedKey other
        && hash == other.hash
        && Arrays.equals(bytes, 0, length, other.bytes, 0, other.length);
  }
}
