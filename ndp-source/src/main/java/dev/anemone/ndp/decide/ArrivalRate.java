// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

/**
 * The fastest at which bytes have come over the network for a while. The network can carry so much
 * at least, whatever one stream alone has brought: several data nodes have a link each. Not
 * thread-safe.
 */
final class ArrivalRate {

  /** So long that bytes out of buffers, which come at once, do not count for much. */
  private static final long LEAST_NANOS = 500_000_000;

  private static final double NANOS = 1e9;

  private boolean begun;
  private long beginNanos;
  private long bytes;
  private double fastest;

  /** Bytes have arrived by now. */
  void arrived(long count, long nowNanos) {
    if (!begun) {
      // How long these took is not known.
      begin(nowNanos);
      return;
    }
    bytes += count;
    long nanos = nowNanos - beginNanos;
    if (nanos >= LEAST_NANOS) {
      fastest = Math.max(fastest, bytes * NANOS / nanos);
      begin(nowNanos);
    }
  }

  private void begin(long nowNanos) {
    begun = true;
    beginNanos = nowNanos;
    bytes = 0;
  }

  /** Bytes per second; 0 before anything is known. */
  double fastest() {
    return fastest;
  }
}
