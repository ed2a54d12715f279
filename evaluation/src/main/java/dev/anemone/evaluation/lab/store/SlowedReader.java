// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.store;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.ReadStatistics;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads, and has each read charged.
 *
 * @param delegate reads
 * @param statistics that the reads of the delegate count in
 * @param store charges
 */
record SlowedReader(BlockReader delegate, ReadStatistics statistics, SlowedStore store)
    implements BlockReader {

  @Override
  public BlockId id() {
    return delegate.id();
  }

  @Override
  public BlockIndex index() {
    return delegate.index();
  }

  @Override
  public void read(int partition, long position, ByteBuffer target) throws IOException {
    long begin = System.nanoTime();
    int before = target.position();
    long seeksBefore = statistics.seeks();
    delegate.read(partition, position, target);
    store.charge(begin, target.position() - before, statistics.seeks() - seeksBefore);
  }

  @Override
  public void close() throws IOException {
    delegate.close();
  }
}
