// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import java.util.OptionalDouble;

/**
 * How fast bytes come over the network, all that is read at a time together, in the time in which
 * at least one reader waits for some. What readers take to work on what they have got says nothing
 * of the network, and does not count. Bytes come in pieces, each of which one reader has waited
 * for; of one that is waited for now, half is taken to have come. Not thread-safe.
 */
final class ArrivalRate {

  /** Several pieces, so that it matters little how much of the last ones has come. */
  private static final long LEAST_BYTES = 4L << 20;

  private static final long LEAST_NANOS = 500_000_000;

  /** After so long what has come counts half, if that says enough, so that a network may change. */
  private static final double HALVED_NANOS = 10e9;

  private static final double NANOS = 1e9;

  private int waiting;
  private long waitingSince;
  private double waitedNanos;
  private double bytes;
  private long largestPiece;

  /** A reader waits for a piece from now on. */
  void waits(long nowNanos) {
    if (waiting == 0) {
      waitingSince = nowNanos;
    }
    waiting++;
  }

  /**
   * A reader does not wait any more.
   *
   * @param count bytes that have come for it
   */
  void arrived(long count, long nowNanos) {
    waiting--;
    bytes += count;
    largestPiece = Math.max(largestPiece, count);
    waitedNanos += nowNanos - waitingSince;
    waitingSince = nowNanos;
    if (waitedNanos >= HALVED_NANOS && bytes >= 2 * LEAST_BYTES) {
      waitedNanos /= 2;
      bytes /= 2;
    }
  }

  /** Bytes per second; empty before that can be said. */
  OptionalDouble bytesPerSecond(long nowNanos) {
    double nanos = waitedNanos + (waiting > 0 ? nowNanos - waitingSince : 0);
    return bytes < LEAST_BYTES || nanos < LEAST_NANOS
        ? OptionalDouble.empty()
        : OptionalDouble.of((bytes + waiting * largestPiece / 2.0) * NANOS / nanos);
  }
}
