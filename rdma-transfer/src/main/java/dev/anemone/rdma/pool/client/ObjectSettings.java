// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.TierKind;
import java.time.Duration;

/**
 * What an object is to be.
 *
 * @param lifetime whether it goes with its owner's lease
 * @param keep after so long the pool deletes it, whatever its lifetime; zero for never
 * @param tier the fastest in which it may lie
 * @param replaces whether it takes the place of an object that has its path when it is committed
 */
public record ObjectSettings(Lifetime lifetime, Duration keep, TierKind tier, boolean replaces) {

  /**
   * Checks the time.
   *
   * @throws IllegalArgumentException when it is negative
   */
  public ObjectSettings {
    if (keep.isNegative()) {
      throw new IllegalArgumentException("An object cannot be kept for " + keep + ".");
    }
  }

  /** For as long as it is not deleted, in any tier, under a path of its own. */
  public static ObjectSettings of(Lifetime lifetime) {
    return new ObjectSettings(lifetime, Duration.ZERO, TierKind.DRAM, false);
  }

  /** Deleted by the pool after some time, or never when that is zero. */
  public ObjectSettings withKeep(Duration other) {
    return new ObjectSettings(lifetime, other, tier, replaces);
  }

  /** In a tier or those after it. */
  public ObjectSettings withTier(TierKind other) {
    return new ObjectSettings(lifetime, keep, other, replaces);
  }

  /**
   * Takes the place of an object that has the path by then. Whoever opens the path at that moment
   * can find nothing.
   */
  public ObjectSettings replacing() {
    return new ObjectSettings(lifetime, keep, tier, true);
  }
}
