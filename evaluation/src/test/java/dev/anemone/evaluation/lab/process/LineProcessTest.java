// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.evaluation.lab.ExperimentFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineProcessTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path directory;

  @Test
  void talksByLines() throws Exception {
    try (LineProcess process =
        shell("echo noise; echo ready $NAME; read line; echo got $line", Map.of("NAME", "it"))) {
      assertThat(process.await("ready", PATIENCE)).containsExactly("it");
      process.say("a line");
      assertThat(process.await("got", PATIENCE)).containsExactly("a", "line");
    }
  }

  @Test
  void aKilledProcessIsDeadAndGivesWhatItHasSaid() throws Exception {
    // It ends by itself when its input does, so that all has been said when it has ended.
    LineProcess process = shell("echo ready; echo rest; read line", Map.of());
    process.await("ready", PATIENCE);
    process.say("end");
    ProcessHandle.of(process.pid()).ifPresent(handle -> handle.onExit().join());

    assertThat(process.kill()).containsExactly("rest");
    assertThat(ProcessHandle.of(process.pid()).filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void aProcessThatEndsIsReportedWithTheEndOfItsLog() throws Exception {
    try (LineProcess process = shell("echo the reason >&2; exit 3", Map.of())) {
      assertThatThrownBy(() -> process.await("ready", PATIENCE))
          .isInstanceOf(ExperimentFailure.class)
          .hasMessageContaining("has ended before it said 'ready'")
          .hasMessageContaining("the reason");
    }
  }

  private LineProcess shell(String script, Map<String, String> environment) throws Exception {
    return LineProcess.start(
        List.of("sh", "-c", script), environment, directory.resolve("shell.log"));
  }
}
