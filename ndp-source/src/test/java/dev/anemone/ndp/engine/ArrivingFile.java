// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ndp.engine.split.SplitBytes;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A file that comes from elsewhere, from some byte on in small pieces, and counts what is read. */
final class ArrivingFile implements SplitBytes {

  private static final int PIECE_BYTES = 1 << 12;

  private final Path file;
  private final SplitBytes bytes;
  private final long from;
  private final Event event;
  private final AtomicLong read = new AtomicLong();
  private final AtomicInteger streams = new AtomicInteger();
  private long size;

  /** What happens with each read from some byte on. */
  @FunctionalInterface
  interface Event {
    void happen() throws IOException;

    /** Waits until a test has seen what came before. */
    static Event awaits(CountDownLatch seen) {
      return () -> {
        try {
          if (!seen.await(1, TimeUnit.MINUTES)) {
            throw new IOException("there were no rows");
          }
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      };
    }

    /** As a server that sends little. */
    static Event trickles() {
      CountDownLatch never = new CountDownLatch(1);
      return () -> {
        try {
          if (never.await(10, TimeUnit.MILLISECONDS)) {
            throw new IOException("it came");
          }
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      };
    }
  }

  /** One with which nothing happens. */
  ArrivingFile(Path file) throws IOException {
    this(file, Long.MAX_VALUE, () -> {});
  }

  ArrivingFile(Path file, long from, Event event) throws IOException {
    this.file = file;
    this.bytes = SplitBytes.of(file);
    this.size = bytes.size();
    this.from = from;
    this.event = event;
  }

  /** Says that it has another size than it has. */
  void claim(long bytes) {
    size = bytes;
  }

  long bytesRead() {
    return read.get();
  }

  /** Streams that are open. */
  int streams() {
    return streams.get();
  }

  @Override
  public String name() {
    return file.toString();
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public InputStream open(long position, long length) throws IOException {
    streams.incrementAndGet();
    return new FilterInputStream(bytes.open(position, length)) {
      private long place = position;

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        boolean late = place > from;
        if (late) {
          event.happen();
        }
        int count = in.read(target, offset, late ? Math.min(length, PIECE_BYTES) : length);
        place += Math.max(0, count);
        read.addAndGet(Math.max(0, count));
        return count;
      }

      @Override
      public void close() throws IOException {
        super.close();
        streams.decrementAndGet();
      }
    };
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
