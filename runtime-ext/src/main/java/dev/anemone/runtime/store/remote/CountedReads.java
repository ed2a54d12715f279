// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.remote;

import dev.anemone.rdma.pool.client.CacheUse;
import dev.anemone.runtime.store.ReadStatistics;

/** Counts for one reader how the copies that this process keeps were of use. */
record CountedReads(ReadStatistics statistics) implements CacheUse {

  @Override
  public void page(boolean cached, int bytes) {
    statistics.countPage(cached, bytes);
  }

  @Override
  public void name(boolean cached) {
    statistics.countName(cached);
  }
}
