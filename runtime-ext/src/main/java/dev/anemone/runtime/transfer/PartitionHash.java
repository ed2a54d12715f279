// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;

/** The partition of a record by the xxHash of some of its bytes; the same in every JVM. */
public final class PartitionHash {

  private static final XXHash32 XX_HASH = XXHashFactory.fastestJavaInstance().hash32();
  private static final int SEED = 0x5bd1e995;

  private PartitionHash() {}

  /**
   * The partition of bytes.
   *
   * @param from index of the first byte
   * @param to index behind the last byte
   * @param partitions how many there are, at least 1
   */
  public static int of(byte[] bytes, int from, int to, int partitions) {
    int hash = XX_HASH.hash(bytes, from, to - from, SEED);
    return (int) (((hash & 0xffffffffL) * partitions) >>> Integer.SIZE);
  }
}
