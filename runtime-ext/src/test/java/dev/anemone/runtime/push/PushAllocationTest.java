// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.wires.InstalledWires;
import dev.anemone.testing.HeapAllocation;
import org.junit.jupiter.api.Test;

/** Sender and receiver make next to nothing on the heap for a batch more. */
class PushAllocationTest {

  private static final int FEW_BATCHES = 64;
  private static final int MANY_BATCHES = 320;
  private static final int TRIES = 5;

  /** An answer, a selection key's number, a place in lists; not a promise, a node or a view. */
  private static final int MOST_BYTES_PER_BATCH = 200;

  @Test
  void allocatesNearlyNothingPerBatch() throws Exception {
    long many = (long) MANY_BATCHES * PagePool.PAGE_BYTES;
    try (PushLoad load =
        new PushLoad(InstalledWires.netty(JobSecret.random()), new PagePool(2 * many), many)) {
      load.push(many);
      long least = Long.MAX_VALUE;
      for (int i = 0; i < TRIES; i++) {
        // Other threads of the JVM may allocate, too, but not each time.
        least = Math.min(least, allocatedBytes(load, MANY_BATCHES));
      }
      long fewer = Long.MAX_VALUE;
      for (int i = 0; i < TRIES; i++) {
        fewer = Math.min(fewer, allocatedBytes(load, FEW_BATCHES));
      }
      assertThat((least - fewer) / (MANY_BATCHES - FEW_BATCHES)).isLessThan(MOST_BYTES_PER_BATCH);
    }
  }

  private static long allocatedBytes(PushLoad load, int batches) throws Exception {
    HeapAllocation allocation = HeapAllocation.begin();
    load.push((long) batches * PagePool.PAGE_BYTES);
    return allocation.bytes();
  }
}
