// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

/**
 * Decides whether it pays to look for records of the same key before a shuffle, as Trino's adaptive
 * partial aggregation does. It counts how many of {@value #SAMPLE} records find nothing to be
 * combined with. Where too many do, ten times as many records go through as they are, and then it
 * counts again, since data may change. Not thread-safe.
 */
final class KeyRepetition {

  /** Few enough to be soon done with, and more than a small table of keys has. */
  static final int SAMPLE = 100_000;

  /** A tenth of the records is still looked up, so a change costs little before it is noticed. */
  static final int PASSED = 10 * SAMPLE;

  private static final int PERCENT = 100;

  private final int mostPercent;
  private int lookedUp;
  private int alone;
  private int left;
  private long passed;

  /**
   * @param mostPercent of the records that may find nothing; with 100 all are looked up
   */
  KeyRepetition(int mostPercent) {
    this.mostPercent = mostPercent;
  }

  /** Whether the next record goes through; one that does is counted. */
  boolean passesNext() {
    if (left == 0) {
      return false;
    }
    left--;
    passed++;
    return true;
  }

  /**
   * Counts a record that was looked up.
   *
   * @param isAlone whether there was nothing to be combined with
   * @return whether records go through from now on
   */
  boolean passesAfter(boolean isAlone) {
    lookedUp++;
    alone += isAlone ? 1 : 0;
    if (lookedUp < SAMPLE) {
      return false;
    }
    boolean rare = (long) alone * PERCENT > (long) mostPercent * SAMPLE;
    left = rare ? PASSED : 0;
    lookedUp = 0;
    alone = 0;
    return rare;
  }

  /** How many records went through. */
  long passed() {
    return passed;
  }
}
