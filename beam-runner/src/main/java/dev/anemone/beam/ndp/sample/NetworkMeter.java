// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp.sample;

import dev.anemone.ndp.engine.split.SplitBytes;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;

/**
 * Measures how fast bytes of files come while they are read, for a time rather than a size, so that
 * it costs a slow network no more than a fast one. One range is read at a time, whoever asks for
 * it: then it has the network to itself. The first bytes of a file are left out: they pay for the
 * connection and TCP's slow start, or come faster than any others out of buffers. Thread-safe.
 */
final class NetworkMeter {

  private static final int FIRST_BYTES = 128 << 10;

  /** Fewer say nothing. */
  private static final int LEAST_BYTES = 128 << 10;

  /** At rates where these are there in no time the network hardly matters. */
  private static final int MOST_BYTES = 4 << 20;

  private static final long ENOUGH_NANOS = 20_000_000;

  /** What a sample may take. */
  private static final long MOST_NANOS = 50_000_000;

  private static final double NANOS = 1e9;

  private final boolean isWanted;
  private final LongSupplier clock;
  private long firstBytes;
  private long firstNanos;
  private long countedBytes;
  private long countedNanos;

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
  }

  /**
   * Reads the beginning of a range, and on until enough has been seen, unless that has been before,
   * or the range ends.
   *
   * @param end of the range
   * @param least how many bytes to give back, of a range that has so many
   * @param most how many instead where these come fast
   */
  synchronized byte[] read(SplitBytes file, long position, long end, int least, int most)
      throws IOException {
    byte[] bytes = new byte[(int) Math.min(most, end - position)];
    int first = Math.min(least, bytes.length);
    int size = take(file, position, bytes, 0, Math.min(FIRST_BYTES, first), false);
    size += take(file, position + size, bytes, size, first - size, true);
    if (size < bytes.length && rate(countedBytes, countedNanos) >= rate(most, MOST_NANOS)) {
      first = bytes.length;
      size += take(file, position + size, bytes, size, first - size, true);
    }
    if (size < first) {
      throw new IOException("the file became shorter while it was read");
    }
    readOn(file, position + size, end);
    return Arrays.copyOf(bytes, size);
  }

  private void readOn(SplitBytes file, long position, long end) throws IOException {
    long next = position;
    if (isWanted && !isEnough() && next < end && firstBytes == 0) {
      byte[] first = new byte[(int) Math.min(FIRST_BYTES, end - next)];
      next += take(file, next, first, 0, first.length, false);
    }
    while (isWanted && !isEnough() && next < end) {
      // As much again as has been seen, since each request has a time of its own.
      long more = Math.max(LEAST_BYTES, Math.min(countedBytes, MOST_BYTES - countedBytes));
      byte[] piece = new byte[(int) Math.min(more, end - next)];
      int count = take(file, next, piece, 0, piece.length, true);
      next = count < piece.length ? end : next + count;
    }
  }

  private int take(
      SplitBytes file, long position, byte[] bytes, int offset, int length, boolean counts)
      throws IOException {
    if (length <= 0) {
      return 0;
    }
    long begin = clock.getAsLong();
    int count;
    try (InputStream in = file.open(position, length)) {
      count = in.readNBytes(bytes, offset, length);
    }
    long nanos = clock.getAsLong() - begin;
    if (counts) {
      countedBytes += count;
      countedNanos += nanos;
    } else {
      firstBytes += count;
      firstNanos += nanos;
    }
    return count;
  }

  private boolean isEnough() {
    return countedBytes >= MOST_BYTES
        || (countedBytes >= LEAST_BYTES && countedNanos >= ENOUGH_NANOS);
  }

  /** Bytes per second; of files that end soon, with the time that it took to open them. */
  synchronized OptionalDouble bytesPerSecond() {
    if (countedBytes >= LEAST_BYTES) {
      return OptionalDouble.of(rate(countedBytes, countedNanos));
    }
    return firstBytes + countedBytes > 0
        ? OptionalDouble.of(rate(firstBytes + countedBytes, firstNanos + countedNanos))
        : OptionalDouble.empty();
  }

  private static double rate(long bytes, long nanos) {
    return bytes * NANOS / Math.max(1, nanos);
  }
}
