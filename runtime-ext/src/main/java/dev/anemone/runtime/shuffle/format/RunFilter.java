// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

/** Tells which runs of a block a reader leaves out. */
@FunctionalInterface
public interface RunFilter {

  /** Leaves nothing out. */
  RunFilter NOTHING = (partition, producer) -> false;

  /** Whether to leave out what a producer wrote into a partition. */
  boolean skips(int partition, Producer producer);
}
