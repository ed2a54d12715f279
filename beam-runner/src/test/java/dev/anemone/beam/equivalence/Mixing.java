// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.equivalence;

/** Numbers that look random and follow from others. */
final class Mixing {

  private Mixing() {}

  /** The finalizer of SplitMix64 over both. */
  static long mix(long a, long b) {
    long z = a * 0x9E3779B97F4A7C15L + b;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** A small number that is not negative. */
  static long value(long a, long b) {
    return Math.floorMod(mix(a, b), 10_007L);
  }
}
