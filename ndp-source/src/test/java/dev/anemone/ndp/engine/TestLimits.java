// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import java.nio.file.Path;
import java.time.Duration;

/** Limits that small plans keep. */
final class TestLimits {

  private TestLimits() {}

  static NdpEngineLimits in(Path directory) {
    return new NdpEngineLimits(1, 256L << 20, 1L << 30, Duration.ofMinutes(1), directory);
  }
}
