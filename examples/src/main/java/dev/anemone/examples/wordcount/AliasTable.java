// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.wordcount;

/**
 * Draws from a discrete distribution in constant time: Walker's alias method, built in linear time
 * as in Vose, <i>A Linear Algorithm for Generating Random Numbers with a Given Distribution</i>,
 * IEEE TSE 1991. Immutable and thread-safe.
 */
final class AliasTable {
  private static final double TWO_TO_THE_32 = 0x1p32;

  private final int[] alias;

  /** For each column the probability of staying in it, scaled to 0 .. 2^32. */
  private final long[] threshold;

  private AliasTable(double[] weights) {
    int size = weights.length;
    double total = 0;
    for (double weight : weights) {
      total += weight;
    }
    double[] scaled = new double[size];
    int[] small = new int[size];
    int[] large = new int[size];
    int smallCount = 0;
    int largeCount = 0;
    for (int i = 0; i < size; i++) {
      scaled[i] = weights[i] * size / total;
      if (scaled[i] < 1) {
        small[smallCount++] = i;
      } else {
        large[largeCount++] = i;
      }
    }
    alias = new int[size];
    threshold = new long[size];
    while (smallCount > 0 && largeCount > 0) {
      int less = small[--smallCount];
      int more = large[--largeCount];
      threshold[less] = (long) (scaled[less] * TWO_TO_THE_32);
      alias[less] = more;
      scaled[more] -= 1 - scaled[less];
      if (scaled[more] < 1) {
        small[smallCount++] = more;
      } else {
        large[largeCount++] = more;
      }
    }
    // What is left is 1 up to rounding.
    while (largeCount > 0) {
      threshold[large[--largeCount]] = 1L << 32;
    }
    while (smallCount > 0) {
      threshold[small[--smallCount]] = 1L << 32;
    }
  }

  /** The distribution where rank r, from 1, has a weight of 1/r; it draws r - 1. */
  static AliasTable zipf(int size) {
    double[] weights = new double[size];
    for (int i = 0; i < size; i++) {
      weights[i] = 1.0 / (i + 1);
    }
    return new AliasTable(weights);
  }

  /**
   * Turns 64 uniform random bits into a draw.
   *
   * @return a number from 0 to size - 1
   */
  int draw(long randomBits) {
    int column = (int) (((randomBits >>> 32) * alias.length) >>> 32);
    return (randomBits & 0xFFFF_FFFFL) < threshold[column] ? column : alias[column];
  }
}
