// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.ndp.decide.ReadsInProgress.Decision;
import dev.anemone.ndp.decide.ReadsInProgress.Reading;

/** Decides how many operators a proxy runs on a split. */
interface PushdownChoice {

  /** All of them, always. */
  PushdownChoice ALL =
      (split, storage, proxy, most) -> storage.reads().begin(proxy, () -> new Decision(most, 0));

  /**
   * The decision, taken when the split is about to be read.
   *
   * @param storage where what is decided is counted
   * @param proxy beside a data node that holds the split
   * @param most operators that may be pushed, at least 1
   * @return the reading, with 0 to {@code most} operators; closed by the caller
   */
  Reading begin(FileSplit split, StorageSide storage, StorageProxy proxy, int most);
}
