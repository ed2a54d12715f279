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

  @Test
  void aProcessMayEndByItselfWhenNobodyHasOrdersAnyMore() throws Exception {
    Path left = directory.resolve("left");
    try (LineProcess process = shell("read line; echo bye >" + left, Map.of())) {
      process.end(PATIENCE);
    }
    assertThat(left).hasContent("bye");
  }

  @Test
  void aProcessThatEndsBadlyOrNotAtAllIsReported() throws Exception {
    try (LineProcess process = shell("read line; echo the reason >&2; exit 3", Map.of())) {
      assertThatThrownBy(() -> process.end(PATIENCE))
          .isInstanceOf(ExperimentFailure.class)
          .hasMessageContaining("has ended with exit code 3")
          .hasMessageContaining("the reason");
    }
    try (LineProcess process = shell("exec sleep 300", Map.of())) {
      assertThatThrownBy(() -> process.end(Duration.ZERO))
          .isInstanceOf(ExperimentFailure.class)
          .hasMessageContaining("has not ended 0 s after its input");
    }
  }

  private LineProcess shell(String script, Map<String, String> environment) throws Exception {
    return LineProcess.start(
        List.of("sh", "-c", script), environment, directory.resolve("shell.log"));
  }
}
