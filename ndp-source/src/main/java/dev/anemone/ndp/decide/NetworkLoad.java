// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

/**
 * The network between the two sides at a moment.
 *
 * @param bytesPerSecond bandwidth that all transfers share, given or measured
 * @param transfers that share it now, or will when what was pushed for them is done, of all jobs
 * @param bytesLeft of those transfers together, as far as is known; infinite where it is not
 */
public record NetworkLoad(double bytesPerSecond, int transfers, double bytesLeft) {

  /**
   * Checks the figures.
   *
   * @throws IllegalArgumentException if there is no bandwidth, or a negative number of transfers or
   *     of bytes
   */
  public NetworkLoad {
    Figures.requirePositive("The bandwidth", bytesPerSecond);
    Figures.requireNotNegative("The number of transfers", transfers);
    if (!(bytesLeft >= 0)) {
      throw new IllegalArgumentException(
          "The bytes left to transfer are " + bytesLeft + "; they must be 0 or more.");
    }
  }

  /** A network of which only the number of transfers is known. */
  public static NetworkLoad ofTransfers(double bytesPerSecond, int transfers) {
    return new NetworkLoad(bytesPerSecond, transfers, Double.POSITIVE_INFINITY);
  }

  /**
   * {@code Tn(D)}: seconds that one transfer more takes. All share the bandwidth fairly, so it
   * waits for no more than its own size of each other one, and for no more than all of them have
   * left when it begins.
   *
   * @param bytes of that transfer
   * @param later seconds from now until it begins, in which the others go on
   */
  double seconds(double bytes, double later) {
    double leftThen = Math.max(0, bytesLeft - later * bytesPerSecond);
    return (bytes + Math.min(bytes * transfers, leftThen)) / bytesPerSecond;
  }

  /** Seconds until all that is under way has arrived; 0 where its size is not known. */
  double secondsLeft() {
    return bytesLeft == Double.POSITIVE_INFINITY ? 0 : bytesLeft / bytesPerSecond;
  }
}
