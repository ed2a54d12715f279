// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

/**
 * How far a reader is that takes one producer after the other: each of them counts as much as any
 * other, and the one that is being read by its bytes. Written by the task's thread, read by any.
 */
final class SourceProgress {

  private final int sources;
  private volatile State state = new State(0, 0, 0);

  /**
   * Where the reader is.
   *
   * @param before producers that it is behind
   * @param beganBytes bytes that had been read when it began with the current one
   * @param ofCurrent bytes of that one; 0 when there is none
   */
  private record State(int before, long beganBytes, long ofCurrent) {}

  SourceProgress(int sources) {
    this.sources = sources;
  }

  /** The one before, if there is any, has been read; now comes one of so many bytes. */
  void began(long readBytes, long bytes) {
    state = new State(state.before + (state.ofCurrent > 0 ? 1 : 0), readBytes, Math.max(1, bytes));
  }

  /** One has nothing for the task. */
  void skipped() {
    state = new State(state.before + 1, state.beganBytes, state.ofCurrent);
  }

  /** All is read again. */
  void restart(long readBytes) {
    state = new State(0, readBytes, 0);
  }

  /**
   * The fraction, from 0 to 1.
   *
   * @param readBytes bytes that have been read until now, of all
   */
  double fraction(long readBytes) {
    State now = state;
    double ofCurrent =
        now.ofCurrent == 0 ? 0 : Math.min(1, (double) (readBytes - now.beganBytes) / now.ofCurrent);
    return sources == 0 ? 1 : Math.min(1, (now.before + ofCurrent) / sources);
  }
}
