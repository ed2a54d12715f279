// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import java.util.Arrays;

/**
 * What is to be read: each partition consists of some shares of equally many bytes, each for
 * another task. Immutable, though it shares its arrays with whoever made it.
 */
final class Workload {

  private final double[] shareBytes;
  private final int[] shares;

  /**
   * A workload.
   *
   * @param shareBytes bytes of a share, by partition, none negative
   * @param shares number of shares, by partition; 0 for a partition that is not to be read
   */
  Workload(double[] shareBytes, int[] shares) {
    this.shareBytes = shareBytes;
    this.shares = shares;
  }

  /** Partitions that are not divided. */
  static Workload whole(double[] bytes) {
    int[] shares = new int[bytes.length];
    Arrays.fill(shares, 1);
    return new Workload(bytes, shares);
  }

  int partitions() {
    return shareBytes.length;
  }

  /** Bytes of each share of a partition. */
  double shareBytes(int partition) {
    return shareBytes[partition];
  }

  /** Into how many shares a partition is divided; 1 if it is not, 0 if it is not to be read. */
  int shares(int partition) {
    return shares[partition];
  }

  double total() {
    double total = 0;
    for (int partition = 0; partition < shareBytes.length; partition++) {
      total += shareBytes[partition] * shares[partition];
    }
    return total;
  }

  /**
   * The partitions that are divided or have more bytes than the threshold, those with the largest
   * shares first; of equally large ones, the one with the lowest number first.
   */
  int[] largerThan(double threshold) {
    int count = 0;
    for (int partition = 0; partition < shares.length; partition++) {
      if (isLarge(partition, threshold)) {
        count++;
      }
    }
    // Sorted as numbers: the order of non-negative floats is that of their bits, and a difference
    // that a float does not show makes none here either.
    long[] keys = new long[count];
    for (int partition = shares.length - 1; partition >= 0; partition--) {
      if (isLarge(partition, threshold)) {
        long bits = Float.floatToIntBits((float) shareBytes[partition]);
        keys[--count] = (bits << Integer.SIZE) | (Integer.MAX_VALUE - partition);
      }
    }
    Arrays.sort(keys);
    int[] partitions = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      partitions[i] = Integer.MAX_VALUE - (int) keys[keys.length - 1 - i];
    }
    return partitions;
  }

  /** Whether {@link #largerThan} has a partition. */
  boolean isLarge(int partition, double threshold) {
    return shares[partition] > 1 || (shares[partition] == 1 && shareBytes[partition] > threshold);
  }
}
