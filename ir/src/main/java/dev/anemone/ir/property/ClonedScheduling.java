// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

/**
 * Slow tasks of a vertex are run a second time beside the first attempt, and the attempt that
 * finishes first counts.
 *
 * @param slowTaskThreshold a task is slow when its estimated run time is this many standard
 *     deviations above the mean of its vertex; not negative
 * @param maxClonedFraction at most this fraction of the vertex's tasks runs twice at once; above 0,
 *     at most 1
 */
public record ClonedScheduling(double slowTaskThreshold, double maxClonedFraction)
    implements VertexProperty {

  public ClonedScheduling {
    if (!(slowTaskThreshold >= 0)) {
      throw new IllegalArgumentException(
          "slow task threshold must not be negative, was " + slowTaskThreshold);
    }
    if (!(maxClonedFraction > 0 && maxClonedFraction <= 1)) {
      throw new IllegalArgumentException(
          "cloned fraction must be in (0, 1], was " + maxClonedFraction);
    }
  }
}
