package dev.anemone.beam.ndp;

/** Decides how many operators a proxy runs on a split. */
interface PushdownChoice {

  /** All of them, always. */
  PushdownChoice ALL = (split, proxy, most) -> most;

  /**
   * The decision, taken when the split is about to be read.
   *
   * @param proxy beside a data node that holds the split
   * @param most operators that may be pushed
   * @return from 0 to {@code most}
   */
  int operators(FileSplit split, StorageProxy proxy, int most);
}
