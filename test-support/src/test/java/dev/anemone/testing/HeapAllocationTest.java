// SPDX-License-Identifier: Apache-2.0
package dev.anemone.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class HeapAllocationTest {

  private static final int MUCH = 32 << 20;

  @Test
  void whatAThreadAllocatesIsCounted() {
    HeapAllocation allocation = HeapAllocation.begin();
    byte[] bytes = new byte[MUCH];
    assertThat(allocation.bytes()).isGreaterThanOrEqualTo(bytes.length);
  }

  @Test
  void threadThatEndsTakesNothingAway() throws InterruptedException {
    CountDownLatch allocated = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Thread other =
        new Thread(
            () -> {
              byte[] bytes = new byte[MUCH];
              bytes[0] = 1;
              allocated.countDown();
              try {
                end.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    other.start();
    allocated.await();
    HeapAllocation allocation = HeapAllocation.begin();
    end.countDown();
    other.join();
    assertThat(allocation.bytes()).isBetween(0L, MUCH / 2L);
  }
}
