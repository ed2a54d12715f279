// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.disk;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.disk.ReadThrottle.BlockDevice;
import dev.anemone.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the throttle can be tested: most builds may not make control groups. */
public final class ThrottledDisk {
  private ThrottledDisk() {}

  /**
   * A directory on a disk that this user may throttle. Skips the test where there is none, and says
   * why.
   */
  public static Path directory() throws IOException {
    Path directory = Files.createDirectories(Path.of("target", "throttled").toAbsolutePath());
    try {
      ReadThrottle.start(BlockDevice.of(directory), 1_000).close();
    } catch (ExperimentFailure impossible) {
      throw Requirement.ROOT.missing(impossible.getMessage());
    }
    return directory;
  }
}
