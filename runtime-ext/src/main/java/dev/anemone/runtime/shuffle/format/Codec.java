// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

/** How the payload of a chunk is compressed. */
public enum Codec {
  NONE(0),
  LZ4(1),
  ZSTD(2);

  /** Asked for with each chunk; a copy of its own for each would be an allocation. */
  private static final Codec[] ALL = values();

  private final int code;

  Codec(int code) {
    this.code = code;
  }

  /** What stands for it in a chunk's header, from 0 to 3. */
  int code() {
    return code;
  }

  /** The codec that a number stands for, or null when it stands for none. */
  static Codec of(int code) {
    for (Codec codec : ALL) {
      if (codec.code == code) {
        return codec;
      }
    }
    return null;
  }
}
