// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.model;

/** How it stands with a job. */
public enum JobState {
  RUNNING,
  SUCCEEDED,
  FAILED,
  CANCELLED,
  /** Its events end, and do not say how the job did. */
  UNFINISHED
}
