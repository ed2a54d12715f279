// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

/** In what form the words of a job go through its shuffles. */
enum SoakForm {
  ROWS("in rows", 640),
  /** Joined and counted by a query; the engine needs memory beside the heap. */
  COLUMNS("in columns", 800);

  private final String words;
  private final int memoryMb;

  SoakForm(String words, int memoryMb) {
    this.words = words;
    this.memoryMb = memoryMb;
  }

  String words() {
    return words;
  }

  /** What an executor is given. */
  int memoryMb() {
    return memoryMb;
  }
}
