// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.partition;

/**
 * A range of partition numbers.
 *
 * @param from first partition, at least 0
 * @param to first partition after the range, above {@code from}
 */
public record HashRange(int from, int to) implements Comparable<HashRange> {

  public HashRange {
    if (from < 0 || to <= from) {
      throw new IllegalArgumentException("not a range of partitions: [" + from + ", " + to + ")");
    }
  }

  /** Number of partitions in the range. */
  public int size() {
    return to - from;
  }

  /** The partitions, for people. */
  public String text() {
    return size() == 1 ? "partition " + from : "partitions [" + from + ", " + to + ")";
  }

  @Override
  public int compareTo(HashRange other) {
    return from != other.from ? Integer.compare(from, other.from) : Integer.compare(to, other.to);
  }
}
