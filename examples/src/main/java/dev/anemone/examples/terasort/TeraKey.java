// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import java.util.HexFormat;

/**
 * A key, apart from its record.
 *
 * @param head its first 8 bytes, unsigned
 * @param tail its last 2 bytes, from 0 to 65,535
 */
record TeraKey(long head, int tail) implements Comparable<TeraKey> {

  /** The key with which the bytes at an offset begin. */
  static TeraKey at(byte[] bytes, int offset) {
    return new TeraKey(TeraRecord.keyHead(bytes, offset), TeraRecord.keyTail(bytes, offset));
  }

  @Override
  public int compareTo(TeraKey other) {
    int compared = Long.compareUnsigned(head, other.head);
    return compared != 0 ? compared : Integer.compare(tail, other.tail);
  }

  /** The bytes of the key in hexadecimal. */
  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(head) + HexFormat.of().toHexDigits((short) tail);
  }
}
