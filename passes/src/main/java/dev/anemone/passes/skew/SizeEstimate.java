// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.message.ShuffleSizes;
import java.util.Arrays;

/**
 * The bytes of each partition of a consumer, over all shuffles, as a sample of the producers tells.
 *
 * <p>A partition that the sample has not seen is not empty in truth. Where ranges are drawn, a
 * hundredth of all bytes therefore counts as spread evenly over all partitions: little enough to
 * make no task longer than that, and enough that partitions of which nothing is known do not all go
 * to one task. When all tasks were measured it is a millionth, to spread empty partitions too.
 *
 * <p>Immutable, though it shares its array.
 */
final class SizeEstimate {

  private static final double UNSEEN = 0.01;
  private static final double UNSEEN_WHEN_EXACT = 1e-6;

  private final double[] bytes;
  private final boolean exact;

  private SizeEstimate(double[] bytes, boolean exact) {
    this.bytes = bytes;
    this.exact = exact;
  }

  static SizeEstimate of(ShuffleSizes message) {
    double[] bytes = new double[message.partitions()];
    for (int partition = 0; partition < bytes.length; partition++) {
      bytes[partition] = message.estimatedBytes(partition);
    }
    return new SizeEstimate(
        bytes, message.shuffles().stream().allMatch(s -> s.sampledTasks() == s.tasks()));
  }

  /** Estimated bytes by partition, not a copy. */
  double[] bytes() {
    return bytes;
  }

  /** Whether all producer tasks were measured. */
  boolean exact() {
    return exact;
  }

  double total() {
    return Arrays.stream(bytes).sum();
  }

  /** The bytes by which ranges are drawn: none of them is 0, unless all are. */
  double[] smoothed() {
    double each = (exact ? UNSEEN_WHEN_EXACT : UNSEEN) * total() / bytes.length;
    return Arrays.stream(bytes).map(b -> b + each).toArray();
  }
}
