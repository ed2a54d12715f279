// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.write;

import dev.anemone.runtime.clock.TaskClock;
import dev.anemone.runtime.clock.TaskClock.Part;
import dev.anemone.runtime.shuffle.sort.SortBuffer;
import dev.anemone.runtime.shuffle.sort.SortedRecords;

/** Sorts a full buffer, and has the clock know it. */
final class Sorting {

  private Sorting() {}

  static SortedRecords sorted(SortBuffer buffer, TaskClock clock) {
    Part before = clock.enter(Part.SORT);
    SortedRecords sorted = buffer.sort();
    clock.back(before);
    return sorted;
  }
}
