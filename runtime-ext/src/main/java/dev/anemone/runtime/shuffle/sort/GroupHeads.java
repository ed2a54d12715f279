// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.sort;

import java.util.Arrays;

/**
 * Merges the sorted groups of a buffer: a tournament tree of losers (Knuth, volume 3, 5.4.1) over
 * the first entry that each group has left. Where entries are equal, the one of the lower group
 * goes first, which keeps them in their order. Used by one thread.
 *
 * <p>Where words are often equal, the eight bytes of the key that follow those in the word are kept
 * at hand too. They are fetched for some entries of a group at a time, so that cache misses
 * overlap.
 *
 * <p>One buffer uses it again and again; its arrays grow with the groups.
 */
final class GroupHeads {

  private static final int AHEAD = 32;
  private static final int EXHAUSTED = -1;

  private final SortEntries entries;
  private RecordPages records;
  private int covered;
  private boolean keysAtHand;
  private int groups;

  /** The entries that were fetched: those of group g from {@code g * AHEAD} on. */
  private long[] words = {};

  private int[] pointers = {};
  private long[] rests = {};
  private int[] lengths = {};

  /** For each group how many of its entries were taken out, and how many were fetched. */
  private int[] taken = {};

  private int[] fetched = {};

  /** The first entry of each group. */
  private long[] headWords = {};

  private long[] headRests = {};
  private int[] headLengths = {};

  /** At 0 the group that won, behind it those that lost, each at its inner node of the tree. */
  private int[] losers = new int[1];

  private int left;

  /** Heads of a buffer's entries; {@link #start} comes first. */
  GroupHeads(SortEntries entries) {
    this.entries = entries;
  }

  /**
   * Stands on the first of the entries that are there now.
   *
   * @param keys tell equal words apart; null where words are all that counts
   * @param coveredBytes number of the keys' bytes that words hold in full
   * @param withKeysAtHand whether more of the keys is kept at hand
   */
  void start(RecordPages keys, int coveredBytes, boolean withKeysAtHand) {
    records = keys;
    covered = coveredBytes;
    keysAtHand = withKeysAtHand;
    groups = entries.groups();
    left = entries.size();
    makeRoom();
    Arrays.fill(taken, 0, groups, 0);
    Arrays.fill(fetched, 0, groups, 0);
    for (int group = 0; group < groups; group++) {
      setHead(group);
    }
    if (groups > 0) {
      losers[0] = play(1);
    }
  }

  private void makeRoom() {
    if (groups <= taken.length) {
      return;
    }
    words = new long[groups * AHEAD];
    pointers = new int[groups * AHEAD];
    rests = new long[groups * AHEAD];
    lengths = new int[groups * AHEAD];
    taken = new int[groups];
    fetched = new int[groups];
    headWords = new long[groups];
    headRests = new long[groups];
    headLengths = new int[groups];
    losers = new int[groups];
  }

  /** Fills the subtree of a node, and gives the group that wins it. */
  private int play(int node) {
    if (node >= groups) {
      return node - groups;
    }
    int first = play(2 * node);
    int second = play(2 * node + 1);
    boolean firstWins = isBefore(first, second);
    losers[node] = firstWins ? second : first;
    return firstWins ? first : second;
  }

  private void setHead(int group) {
    if (taken[group] == fetched[group]) {
      fetch(group);
    }
    if (taken[group] < fetched[group]) {
      int index = group * AHEAD + taken[group] % AHEAD;
      headWords[group] = words[index];
      headRests[group] = rests[index];
      headLengths[group] = lengths[index];
    } else {
      headWords[group] = -1;
      headLengths[group] = EXHAUSTED;
    }
  }

  private void fetch(int group) {
    int first = group * AHEAD;
    int count = Math.min(AHEAD, entries.groupSize(group) - fetched[group]);
    entries.load(group, fetched[group], count, words, pointers, first);
    fetched[group] += count;
    if (keysAtHand) {
      for (int i = first; i < first + count; i++) {
        int length = records.keyLength(pointers[i]);
        lengths[i] = length;
        rests[i] = records.keyWord(pointers[i], covered, length);
      }
    }
  }

  private boolean isBefore(int a, int b) {
    int order = Long.compareUnsigned(headWords[a], headWords[b]);
    return order == 0 ? isBeforeWithSameWord(a, b) : order < 0;
  }

  private boolean isBeforeWithSameWord(int a, int b) {
    if (headLengths[a] == EXHAUSTED || headLengths[b] == EXHAUSTED) {
      return headLengths[b] == EXHAUSTED;
    }
    int order = records == null ? 0 : compareKeys(a, b);
    return order == 0 ? a < b : order < 0;
  }

  private int compareKeys(int a, int b) {
    if (keysAtHand) {
      int order = Long.compareUnsigned(headRests[a], headRests[b]);
      if (order != 0) {
        return order;
      }
      if (Math.min(headLengths[a], headLengths[b]) <= covered + Long.BYTES) {
        return Integer.compare(headLengths[a], headLengths[b]);
      }
    }
    return records.compareKeys(headPointer(a), headPointer(b));
  }

  private int headPointer(int group) {
    return pointers[group * AHEAD + taken[group] % AHEAD];
  }

  /**
   * Takes entries out, in order.
   *
   * @return how many: as many as the arrays hold, and 0 only when none are left
   */
  int take(long[] takenWords, int[] takenPointers) {
    int count = Math.min(left, takenWords.length);
    for (int i = 0; i < count; i++) {
      int winner = losers[0];
      takenWords[i] = headWords[winner];
      takenPointers[i] = headPointer(winner);
      taken[winner]++;
      setHead(winner);
      for (int node = (winner + groups) / 2; node > 0; node /= 2) {
        int loser = losers[node];
        if (isBefore(loser, winner)) {
          losers[node] = winner;
          winner = loser;
        }
      }
      losers[0] = winner;
    }
    left -= count;
    return count;
  }
}
