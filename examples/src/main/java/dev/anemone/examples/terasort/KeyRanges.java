// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts the space of keys into ranges: range <i>i</i> has the keys from boundary <i>i</i> - 1, with
 * it, to boundary <i>i</i>, without it. The boundaries are quantiles of a sample, as in Hadoop's
 * total order partitioner. Immutable and thread-safe.
 */
final class KeyRanges implements Serializable {
  private static final long serialVersionUID = 1;

  /**
   * The boundaries, each in two parts that are compared unsigned; ascending, without repetition.
   */
  private final long[] heads;

  private final int[] tails;

  private KeyRanges(long[] heads, int[] tails) {
    this.heads = heads;
    this.tails = tails;
  }

  /**
   * Chooses ranges that have about the same number of a sample's keys. Where the same key would be
   * a boundary twice there is one range less: records with equal keys are never parted.
   *
   * @param sample keys, at least one, in any order
   * @param wanted number of ranges, from 1
   */
  static KeyRanges ofSample(List<TeraKey> sample, int wanted) {
    TeraKey[] sorted = sample.toArray(new TeraKey[0]);
    Arrays.sort(sorted);
    long[] heads = new long[wanted - 1];
    int[] tails = new int[wanted - 1];
    int count = 0;
    for (int range = 1; range < wanted; range++) {
      TeraKey boundary = sorted[(int) ((long) sorted.length * range / wanted)];
      boolean repeated =
          count > 0 && heads[count - 1] == boundary.head() && tails[count - 1] == boundary.tail();
      if (!repeated) {
        heads[count] = boundary.head();
        tails[count] = boundary.tail();
        count++;
      }
    }
    return new KeyRanges(Arrays.copyOf(heads, count), Arrays.copyOf(tails, count));
  }

  /** Number of ranges; at least 1. */
  int count() {
    return heads.length + 1;
  }

  /** The range of a record, from 0: the number of boundaries that are not above its key. */
  int rangeOf(byte[] record) {
    long head = TeraRecord.keyHead(record, 0);
    int tail = TeraRecord.keyTail(record, 0);
    int low = 0;
    int high = heads.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isAtMost(middle, head, tail)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private boolean isAtMost(int boundary, long head, int tail) {
    int compared = Long.compareUnsigned(heads[boundary], head);
    return compared < 0 || (compared == 0 && tails[boundary] <= tail);
  }
}
