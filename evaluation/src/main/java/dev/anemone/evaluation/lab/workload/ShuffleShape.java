// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

/**
 * What is shuffled, and from how many tasks to how many.
 *
 * @param producers tasks that make records, at least 1
 * @param consumers tasks that group them, at least 1
 * @param records how many, at least 1
 * @param seed of the records
 */
public record ShuffleShape(int producers, int consumers, long records, long seed) {

  public ShuffleShape {
    if (producers < 1 || consumers < 1 || records < 1) {
      throw new IllegalArgumentException(
          "A shuffle needs producers, consumers and records; there are "
              + producers
              + ", "
              + consumers
              + " and "
              + records
              + ".");
    }
  }

  /** A shape of about so many bytes of keys and values. */
  public static ShuffleShape ofBytes(int producers, int consumers, long bytes, long seed) {
    return new ShuffleShape(
        producers, consumers, Math.max(1, bytes / SyntheticRecords.RECORD_BYTES), seed);
  }

  /** Bytes of all keys and values. */
  public long bytes() {
    return records * SyntheticRecords.RECORD_BYTES;
  }
}
