package dev.anemone.runtime.engine;

import java.nio.file.Path;
import java.util.Objects;

/**
 * How the engine runs jobs.
 *
 * @param slots tasks that run at once, at least 1
 * @param maxTaskAttempts how often a task is tried before its job fails, at least 1
 * @param tempDirectory local directory for blocks and spills; what a job puts there goes when it
 *     ends
 * @param progress whether a line on standard error shows the progress of a job
 */
public record EngineOptions(int slots, int maxTaskAttempts, Path tempDirectory, boolean progress) {

  public EngineOptions {
    if (slots < 1) {
      throw new IllegalArgumentException("slots must be at least 1, was " + slots);
    }
    if (maxTaskAttempts < 1) {
      throw new IllegalArgumentException(
          "maxTaskAttempts must be at least 1, was " + maxTaskAttempts);
    }
    Objects.requireNonNull(tempDirectory, "tempDirectory");
  }
}
