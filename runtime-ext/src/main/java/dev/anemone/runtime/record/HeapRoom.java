// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.record;

/** Refuses records that the heap cannot hold, before a JVM ends for want of memory. */
public final class HeapRoom {

  private HeapRoom() {}

  /**
   * Checks that a record can be both, bytes and the object that its coder makes of them or made
   * them of. That there is room for both does not say that all else has room, too.
   *
   * @param bytes of the record
   * @throws RecordTooLargeException when the heap is smaller than both
   */
  public static void require(long bytes) {
    long heap = Runtime.getRuntime().maxMemory();
    if (bytes > heap / 2) {
      throw new RecordTooLargeException(bytes, heap);
    }
  }
}
