// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import dev.anemone.evaluation.lab.workload.SyntheticRecords.RecordTotals;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * Records whose keys are drawn by Zipf's law: the key of rank {@code r} as often as {@code r} to
 * the power of minus an exponent has it. Values are those of {@link SyntheticRecords}. Thread-safe.
 */
public final class ZipfRecords implements NumberedRecords {
  private static final long serialVersionUID = 1;

  private final SyntheticRecords values;
  private final int keys;
  private final double exponent;
  private final long seed;

  /**
   * For each rank the share of all keys of at most that rank; null until it is needed. It does not
   * travel with each of the parts of a source.
   */
  private transient volatile double[] shares;

  /**
   * @param count how many records, at least 1
   * @param keys how many different keys may be drawn, at least 1
   * @param exponent 0 for keys that are all drawn alike
   */
  public ZipfRecords(long count, int keys, double exponent, long seed) {
    if (count < 1 || keys < 1 || !(exponent >= 0)) {
      throw new IllegalArgumentException(
          "%d records with %d keys by Zipf's law of exponent %s: give at least a record and a key,"
                  .formatted(count, keys, exponent)
              + " and an exponent of 0 or more.");
    }
    this.values = new SyntheticRecords(count, seed);
    this.keys = keys;
    this.exponent = exponent;
    this.seed = seed;
  }

  private double[] shares() {
    double[] known = shares;
    if (known == null) {
      known = new double[keys];
      double sum = 0;
      for (int rank = 0; rank < keys; rank++) {
        sum += Math.pow(rank + 1.0, -exponent);
        known[rank] = sum;
      }
      for (int rank = 0; rank < keys; rank++) {
        known[rank] /= sum;
      }
      // Whoever else has made it has made the same.
      shares = known;
    }
    return known;
  }

  @Override
  public long count() {
    return values.count();
  }

  @Override
  public byte[] key(long record) {
    return ByteBuffer.allocate(Long.BYTES).putLong(rank(record)).array();
  }

  @Override
  public byte[] value(long record) {
    return Arrays.copyOf(values.value(record), SyntheticRecords.RECORD_BYTES - Long.BYTES);
  }

  private int rank(long record) {
    double drawn = new SplittableRandom(seed + record).nextDouble();
    int found = Arrays.binarySearch(shares(), drawn);
    return Math.min(found < 0 ? -found - 1 : found + 1, keys - 1);
  }

  /** The part of all records that the most frequent key has, as the law has it. */
  public double largestShare() {
    return shares()[0];
  }

  @Override
  public RecordTotals totals() {
    CRC32C crc = new CRC32C();
    BitSet drawn = new BitSet(keys);
    long checksum = 0;
    for (long record = 0; record < count(); record++) {
      drawn.set(rank(record));
      checksum += SyntheticRecords.checksum(crc, key(record), value(record));
    }
    return new RecordTotals(count(), drawn.cardinality(), checksum);
  }
}
