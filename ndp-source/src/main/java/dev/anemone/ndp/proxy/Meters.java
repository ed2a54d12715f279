// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import dev.anemone.ndp.protocol.ProxyStatus;
import java.time.Duration;

/** What plans have taken, all in all and as of late. Thread-safe. */
final class Meters {

  /** How much the last plan counts in the moving means. */
  private static final double NEWEST = 0.2;

  private static final double NANOS = 1e9;

  private long bytesIn;
  private long bytesOut;
  private long finished;
  private long failed;
  private long busy;
  private double meanSeconds;
  private double meanBytes;
  private double meanCoreSeconds;

  /** What a plan has taken. */
  synchronized void add(
      Duration time, Duration processorTime, long read, long sent, boolean success) {
    bytesIn += read;
    bytesOut += sent;
    if (!success) {
      failed++;
      return;
    }
    finished++;
    double newest = finished == 1 ? 1 : NEWEST;
    meanSeconds += newest * (time.toNanos() / NANOS - meanSeconds);
    meanCoreSeconds += newest * (processorTime.toNanos() / NANOS - meanCoreSeconds);
    meanBytes += newest * (read - meanBytes);
  }

  synchronized void addBusy() {
    busy++;
  }

  /**
   * @param perCore of a core that is not idle
   */
  record Reading(ProxyStatus.Totals totals, ProxyStatus.Rates perCore) {

    /** What so many cores get through. */
    ProxyStatus.Rates ratesOf(int cores) {
      return new ProxyStatus.Rates(
          perCore.plansPerSecond() * cores,
          perCore.bytesPerSecond() * cores,
          perCore.coreSecondsPerSecond() * cores);
    }
  }

  /** Whether a plan has shown what a core gets through. */
  synchronized boolean areKnown() {
    return meanSeconds > 0;
  }

  /**
   * What there is now.
   *
   * @param unknownShare of a core, for as long as no plan has shown it
   */
  synchronized Reading read(double unknownShare) {
    boolean known = areKnown();
    return new Reading(
        new ProxyStatus.Totals(bytesIn, bytesOut, finished, failed, busy),
        new ProxyStatus.Rates(
            known ? 1 / meanSeconds : 0,
            known ? meanBytes / meanSeconds : 0,
            known ? Math.min(1, meanCoreSeconds / meanSeconds) : unknownShare));
  }
}
