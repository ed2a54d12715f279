// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * An entry whose bytes tell which one it is and are different from those of any other.
 *
 * @param partition where it belongs
 * @param id tells it from the others
 * @param length in bytes; 0, or at least {@link #LEAST_BYTES}
 */
record TestEntry(int partition, int id, int length) {

  static final int LEAST_BYTES = 8;

  ByteBuffer bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    if (length > 0) {
      byte[] rest = new byte[length - LEAST_BYTES];
      new Random(id).nextBytes(rest);
      bytes.putInt(id).putInt(length).put(rest).flip();
    }
    return bytes;
  }

  long rawBytes() {
    return 3L * length;
  }

  /** The entries whose bytes these are, one after the other; checks each byte. */
  static List<TestEntry> in(int partition, byte[] bytes) {
    List<TestEntry> entries = new ArrayList<>();
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining()) {
      TestEntry entry =
          new TestEntry(partition, left.getInt(left.position()), left.getInt(left.position() + 4));
      ByteBuffer found = left.slice(left.position(), entry.length());
      assertThat(found).as("bytes of %s", entry).isEqualTo(entry.bytes());
      entries.add(entry);
      left.position(left.position() + entry.length());
    }
    return entries;
  }
}
