// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import java.util.Arrays;

/**
 * Gives some references to hot keys. Whether, and to which, follows from the number of the
 * reference alone, so it does not depend on what else is generated, or in how many parts. Immutable
 * and thread-safe.
 */
final class HotKeyDraw {
  private static final double TWO_TO_MINUS_53 = 0x1p-53;

  private final long[] keys;

  /** The part of all references that belongs to the key of this index or to one before it. */
  private final double[] upTo;

  private final long salt;

  /**
   * A draw.
   *
   * @param keys the hot keys, the hottest first; as many as the skew has
   * @param salt tells the draws of different foreign keys apart
   */
  HotKeyDraw(HotKeys skew, long[] keys, long salt) {
    this.keys = keys.clone();
    this.salt = salt;
    upTo = new double[skew.count()];
    double weights = 0;
    for (int index = 0; index < upTo.length; index++) {
      weights += 1.0 / (index + 1);
      upTo[index] = weights;
    }
    for (int index = 0; index < upTo.length; index++) {
      upTo[index] *= skew.share() / weights;
    }
  }

  /**
   * The index of the hot key that gets a reference, or -1 for none of them.
   *
   * @param reference a number that no other reference has
   */
  int draw(long reference) {
    double uniform = (mix(reference + salt) >>> 11) * TWO_TO_MINUS_53;
    int found = Arrays.binarySearch(upTo, uniform);
    // At the end of a key's interval the next one begins.
    int index = found >= 0 ? found + 1 : -found - 1;
    return index < keys.length ? index : -1;
  }

  /** A hot key by its index. */
  long key(int index) {
    return keys[index];
  }

  /**
   * Spreads 64 bits over all 64: Stafford's variant 13 of the finalizer of MurmurHash3, as {@link
   * java.util.SplittableRandom} uses it.
   */
  static long mix(long bits) {
    long mixed = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
