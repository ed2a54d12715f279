// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.remote;

import dev.anemone.rdma.pool.client.ReadObserver;
import dev.anemone.runtime.store.ReadStatistics;

/** Counts for one reader what servers gave, and how the copies of this process were of use. */
record CountedReads(ReadStatistics statistics) implements ReadObserver {

  @Override
  public void transferred(int bytes) {
    statistics.countPool(bytes);
  }

  @Override
  public void page(boolean cached, int bytes) {
    statistics.countPage(cached, bytes);
  }

  @Override
  public void name(boolean cached) {
    statistics.countName(cached);
  }
}
