// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.lineage;

import dev.anemone.runtime.record.ByteSink;
import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;

/**
 * A digest of records and their partitions in which their order does not count: the sum of their
 * xxHashes. Two attempts of a task with the same digest have written the same, as far as chance
 * goes (1 in 2<sup>64</sup> that it is not so). Allocates nothing per record. Not thread-safe.
 */
public final class RecordDigest {

  private static final XXHash64 XX_HASH = XXHashFactory.fastestJavaInstance().hash64();

  /** Keeps a key apart from an equal value. */
  private static final long VALUE_SEED = 0x9e3779b97f4a7c15L;

  private long sum;

  /** Counts a record in. */
  public void add(int partition, ByteSink key, ByteSink value) {
    long ofKey = XX_HASH.hash(key.array(), 0, key.length(), partition);
    sum += XX_HASH.hash(value.array(), 0, value.length(), ofKey + VALUE_SEED);
  }

  /** The digest of what was counted in; 0 of nothing. */
  public long value() {
    return sum;
  }
}
