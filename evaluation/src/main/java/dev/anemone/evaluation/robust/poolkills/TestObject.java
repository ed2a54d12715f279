// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.client.ObjectReader;
import dev.anemone.rdma.pool.client.ObjectWriter;
import dev.anemone.rdma.pool.client.PoolClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/**
 * An object whose bytes follow from its path, so that those of another object, or of another time,
 * are known to be wrong.
 *
 * @param path where it is
 */
record TestObject(PoolPath path) {
  private static final int MOST_CHUNKS = 3;

  private byte[] bytes() {
    Random random = new Random(path.value().hashCode());
    byte[] bytes = new byte[1 + random.nextInt(MOST_CHUNKS * KilledPool.CHUNK_BYTES)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Writes it; without {@code commit} it is given up at the end. */
  void write(PoolClient client, Lifetime lifetime, boolean commit) throws IOException {
    try (ObjectWriter writer = client.create(path, lifetime)) {
      writer.write(ByteBuffer.wrap(bytes()));
      if (commit) {
        writer.commit();
      }
    }
  }

  /**
   * Reads it from a place to its end; returns whether all is right.
   *
   * @param place from 0 to below 1, as part of its length
   */
  boolean isRight(PoolClient client, double place) throws IOException {
    byte[] expected = bytes();
    int from = (int) (place * expected.length);
    ObjectReader reader = client.open(path);
    ByteBuffer got = ByteBuffer.allocate(expected.length - from);
    reader.read(from, got);
    return reader.length() == expected.length
        && Arrays.equals(got.array(), Arrays.copyOfRange(expected, from, expected.length));
  }
}
