// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.store;

import dev.anemone.runtime.store.BlockStore;
import java.io.InterruptedIOException;

/**
 * Makes reads as slow as they would be if every reading task were on a machine with a network link
 * of its own: a read returns when the bytes would have come over a link of the given rate, and
 * readers do not wait for each other. A task reads with one thread, so a thread stands for a link.
 * The task that reads most then takes longest, whatever the processors do.
 *
 * <p>What a task has spilled and reads again is charged as well; so is each wait with what the
 * operating system takes to wake a thread, some 50 microseconds. Give tasks the memory not to
 * spill, and a rate at which a read takes milliseconds.
 */
public final class LinkChargingStore extends SlowedStore {
  private final double nanosPerByte;

  /**
   * A store that charges reads.
   *
   * @param bytesPerSecond rate of a task's link, at least 1
   */
  public LinkChargingStore(BlockStore delegate, long bytesPerSecond) {
    super(delegate);
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException("a link cannot have " + bytesPerSecond + " bytes/s");
    }
    this.nanosPerByte = 1e9 / bytesPerSecond;
  }

  @Override
  void charge(long begin, long bytes, long seeks) throws InterruptedIOException {
    waitUntil(begin + (long) (bytes * nanosPerByte), "its link");
  }
}
