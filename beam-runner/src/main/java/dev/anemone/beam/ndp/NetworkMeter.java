package dev.anemone.beam.ndp;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;

/**
 * Measures how fast bytes of a file come while they are read, for a time rather than a size, so
 * that it costs a slow network no more than a fast one. The first bytes are left out: they pay for
 * the connection and TCP's slow start, or come faster than any others out of buffers. Used by one
 * thread.
 */
final class NetworkMeter {

  private static final int PIECE_BYTES = 64 << 10;
  private static final int FIRST_BYTES = 128 << 10;

  /** Fewer say nothing. */
  private static final int LEAST_BYTES = 128 << 10;

  /** At rates where these are there in no time the network hardly matters. */
  private static final int MOST_BYTES = 4 << 20;

  private static final long ENOUGH_NANOS = 100_000_000;
  private static final double NANOS = 1e9;

  private final boolean isWanted;
  private final LongSupplier clock;
  private final long begin;
  private long first;
  private long counted;
  private long countedSince;
  private long last;

  /**
   * A meter.
   *
   * @param isWanted whether anything shall be read just to measure
   */
  NetworkMeter(boolean isWanted) {
    this(isWanted, System::nanoTime);
  }

  /**
   * The same.
   *
   * @param clock in nanoseconds
   */
  NetworkMeter(boolean isWanted, LongSupplier clock) {
    this.isWanted = isWanted;
    this.clock = clock;
    this.begin = clock.getAsLong();
    this.last = begin;
  }

  /** The most that is worth asking a stream for that is measured. */
  static int mostBytes() {
    return FIRST_BYTES + MOST_BYTES;
  }

  /** Up to so many bytes of a stream. */
  byte[] read(InputStream in, int most) throws IOException {
    byte[] bytes = new byte[most];
    int size = 0;
    int count = 0;
    while (size < most && count >= 0) {
      count = in.read(bytes, size, Math.min(PIECE_BYTES, most - size));
      add(count);
      size += Math.max(0, count);
    }
    return size == most ? bytes : Arrays.copyOf(bytes, size);
  }

  /** Reads on until enough has been seen, or the stream ends. */
  void readOn(InputStream in) throws IOException {
    byte[] piece = new byte[PIECE_BYTES];
    int count = 0;
    while (isWanted && count >= 0 && !isEnough()) {
      count = in.read(piece);
      add(count);
    }
  }

  private void add(int count) {
    if (count <= 0) {
      return;
    }
    last = clock.getAsLong();
    if (first < FIRST_BYTES) {
      first += count;
      countedSince = last;
    } else {
      counted += count;
    }
  }

  private boolean isEnough() {
    return counted >= MOST_BYTES || (counted >= LEAST_BYTES && last - countedSince >= ENOUGH_NANOS);
  }

  /** Bytes per second; of a file that ends soon, with the time that it took to open it. */
  OptionalDouble bytesPerSecond() {
    if (counted >= LEAST_BYTES) {
      return OptionalDouble.of(rate(counted, last - countedSince));
    }
    return first + counted > 0
        ? OptionalDouble.of(rate(first + counted, last - begin))
        : OptionalDouble.empty();
  }

  private static double rate(long bytes, long nanos) {
    return bytes * NANOS / Math.max(1, nanos);
  }
}
