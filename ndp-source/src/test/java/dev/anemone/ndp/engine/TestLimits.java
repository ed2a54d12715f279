package dev.anemone.ndp.engine;

import java.nio.file.Path;
import java.time.Duration;

/** Limits that small plans keep. */
final class TestLimits {

  private TestLimits() {}

  static EngineLimits in(Path directory) {
    return new EngineLimits(1, 256L << 20, 1L << 30, Duration.ofMinutes(1), directory);
  }
}
