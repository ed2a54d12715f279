// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.anemone.testing.Requirement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeClocksTest {
  private static final long ACCURACY_SECONDS = 60;

  @TempDir private Path directory;

  /** By how many seconds the clock of a program is wrong that a node of this name starts. */
  private long secondsOff(String host) throws Exception {
    String exports =
        "export " + NodeClocks.environment(directory).replace(",", "; export ") + "; exec date +%s";
    ProcessBuilder program = new ProcessBuilder("sh", "-c", exports);
    program.environment().put("NM_HOST", host);
    Process process = program.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return Long.parseLong(said.strip()) - Instant.now().getEpochSecond();
  }

  @Test
  void theClockOfOneNodeJumpsAndIsRightAgain() throws Exception {
    Requirement.FAKETIME.check(
        NodeClocks.library().isPresent(), "libfaketime is not installed (apt-get install)");
    NodeClocks clocks = NodeClocks.of(directory, List.of("one", "other"));

    clocks.jump("one", Duration.ofHours(-1));
    assertThat(secondsOff("one")).isCloseTo(-3600, within(ACCURACY_SECONDS));
    assertThat(secondsOff("other")).isCloseTo(0, within(ACCURACY_SECONDS));

    clocks.jump("one", Duration.ofHours(1));
    assertThat(secondsOff("one")).isCloseTo(3600, within(ACCURACY_SECONDS));

    clocks.mend("one");
    assertThat(secondsOff("one")).isCloseTo(0, within(ACCURACY_SECONDS));
  }
}
