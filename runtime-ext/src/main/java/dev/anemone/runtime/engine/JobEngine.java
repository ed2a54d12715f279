// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

/** Runs jobs. Thread-safe: jobs may be submitted from several threads and run side by side. */
public interface JobEngine {

  /**
   * Starts a job and returns at once.
   *
   * @throws InvalidJobException when the job cannot run on this engine; nothing has been started
   */
  RunningJob submit(Job job);
}
