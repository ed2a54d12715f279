// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

/** Where a job stands. */
public enum JobState {
  RUNNING,
  SUCCEEDED,
  FAILED,
  CANCELLED;

  public boolean isFinal() {
    return this != RUNNING;
  }
}
