// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ndp.engine.database.NdpEngineLimits;
import java.nio.file.Path;
import java.time.Duration;

/** Limits that small plans keep. */
public final class TestLimits {

  private TestLimits() {}

  public static NdpEngineLimits in(Path directory) {
    return new NdpEngineLimits(1, 256L << 20, 1L << 30, Duration.ofMinutes(1), directory);
  }
}
