// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A number that stands for a key in a hash table, so that most lookups are decided by what lies in
 * the table, without a look at the key that it was made for. Equal keys have equal tags. A text of
 * one to nine ASCII characters other than NUL is its tag, and no other key has that; a tag of any
 * other key is a hash. Umbra's strings hold their first characters for the same reason.
 */
final class KeyTag {

  /** Of no key. */
  static final long NONE = 0;

  private static final int MOST_CHARACTERS = 9;
  private static final int CHARACTER_BITS = 7;

  private KeyTag() {}

  /** The tag of a key, as its coder's structural value. */
  static long of(Object structuralKey) {
    if (structuralKey instanceof String text && text.length() <= MOST_CHARACTERS) {
      long packed = packed(text);
      if (packed != NONE) {
        return packed;
      }
    }
    return Long.MIN_VALUE | Objects.hashCode(structuralKey);
  }

  private static long packed(String text) {
    long packed = 0;
    int bits = 0;
    int predecessors = 0;
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      packed = (packed << CHARACTER_BITS) | character;
      bits |= character;
      predecessors |= character - 1;
    }
    // What is not ASCII has more bits; and NUL, since "a" is not "a\0", a predecessor below zero.
    if (bits >= 1 << CHARACTER_BITS || predecessors < 0) {
      return NONE;
    }
    return packed;
  }

  /** Whether no other key has this tag. */
  static boolean isKey(long tag) {
    return tag > NONE;
  }

  /** The text that has this tag, if it {@linkplain #isKey is a key}. */
  static String text(long tag) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(tag);
    byte[] characters = new byte[(bits + CHARACTER_BITS - 1) / CHARACTER_BITS];
    long left = tag;
    for (int i = characters.length - 1; i >= 0; i--) {
      characters[i] = (byte) (left & ((1 << CHARACTER_BITS) - 1));
      left >>>= CHARACTER_BITS;
    }
    return new String(characters, StandardCharsets.ISO_8859_1);
  }

  /** A hash of the tag all of whose bits depend on all of the tag's. */
  static int hash(long tag) {
    long mixed = (tag ^ (tag >>> Integer.SIZE)) * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> Integer.SIZE) ^ (int) (mixed >>> (Integer.SIZE + Short.SIZE));
  }
}
