package dev.anemone.runtime.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Waits for the disk head after reads that were seeks. */
final class SeekChargingReader implements BlockReader {

  private final BlockReader delegate;
  private final ReadStatistics statistics;
  private final DiskHead head;
  private final long nanosPerSeek;

  SeekChargingReader(
      BlockReader delegate, ReadStatistics statistics, DiskHead head, long nanosPerSeek) {
    this.delegate = delegate;
    this.statistics = statistics;
    this.head = head;
    this.nanosPerSeek = nanosPerSeek;
  }

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
    long seeksBefore = statistics.seeks();
    delegate.read(partition, position, target);
    long seeks = statistics.seeks() - seeksBefore;
    if (seeks > 0) {
      head.move(seeks * nanosPerSeek);
    }
  }

  @Override
  public void close() throws IOException {
    delegate.close();
  }
}
