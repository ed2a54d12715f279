// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

/** A store that keeps blocks elsewhere when it has no room for them, or is not there. */
public interface OverflowingStore extends BlockStore {

  /** Whether a block that this store has written lies in the overflow. */
  boolean isOverflowed(BlockId id);
}
