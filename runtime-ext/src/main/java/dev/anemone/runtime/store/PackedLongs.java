// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

/** Numbers from 0 on, in half of the memory where all of them are below two billion. Immutable. */
final class PackedLongs {

  private final int[] ints;
  private final long[] longs;

  /** Copies numbers, or takes the array over. */
  PackedLongs(long[] numbers) {
    boolean small = true;
    for (long number : numbers) {
      small &= number == (int) number;
    }
    longs = small ? null : numbers;
    ints = small ? new int[numbers.length] : null;
    for (int i = 0; small && i < numbers.length; i++) {
      ints[i] = (int) numbers[i];
    }
  }

  long get(int index) {
    return ints == null ? longs[index] : ints[index];
  }

  int length() {
    return ints == null ? longs.length : ints.length;
  }

  /** Bytes of heap, about. */
  long bytes() {
    return ints == null ? (long) longs.length * Long.BYTES : (long) ints.length * Integer.BYTES;
  }
}
