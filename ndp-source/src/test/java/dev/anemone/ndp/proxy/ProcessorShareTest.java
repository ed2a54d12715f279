// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProcessorShareTest {
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  /** So many others want each processor. */
  private static final int OTHERS = 8;

  private volatile boolean busy = true;

  private static double measure(ProcessorShare share) throws Exception {
    return share.perCore(true).get(10, TimeUnit.SECONDS);
  }

  @Test
  void whoSharesItsCoresWithManyGetsAPartOfThem() throws Exception {
    List<Thread> others = new ArrayList<>();
    for (int i = 0; i < OTHERS * CORES; i++) {
      others.add(new Thread(this::compute));
    }
    others.forEach(Thread::start);
    try {
      assertThat(measure(new ProcessorShare(CORES))).isBetween(1e-6, 0.5);
    } finally {
      busy = false;
      for (Thread other : others) {
        other.join();
      }
    }
  }

  private void compute() {
    while (busy) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whatWasFoundIsKeptForAMoment() throws Exception {
    ProcessorShare share = new ProcessorShare(1);
    Future<Double> first = share.perCore(true);
    assertThat(first.get(10, TimeUnit.SECONDS)).isBetween(1e-6, 1.0);
    assertThat(share.perCore(true)).isSameAs(first);
  }
}
