// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.view;

import dev.anemone.runtime.event.JobEventListener;
import java.util.Optional;

/** Shows one job. Thread-safe. */
public interface JobView extends JobEventListener {

  /**
   * Called when the job has ended, and all its events have been published; returns when what is to
   * be left of it is there, such as its report. Called again, it does nothing.
   *
   * @return where the report is; empty without one, and when called again
   */
  Optional<String> finish();
}
