package dev.anemone.runtime.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;

/** Returns from a read when its bytes would have come over a link of a certain rate. */
final class LinkChargingReader implements BlockReader {

  private final BlockReader delegate;
  private final double nanosPerByte;

  LinkChargingReader(BlockReader delegate, double nanosPerByte) {
    this.delegate = delegate;
    this.nanosPerByte = nanosPerByte;
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
    long begin = System.nanoTime();
    int before = target.position();
    delegate.read(partition, position, target);
    waitUntil(begin + (long) ((target.position() - before) * nanosPerByte));
  }

  private void waitUntil(long end) throws InterruptedIOException {
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("the thread was interrupted while it waited for its link");
      }
    }
  }

  @Override
  public void close() throws IOException {
    delegate.close();
  }
}
