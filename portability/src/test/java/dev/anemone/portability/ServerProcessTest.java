// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir Path directory;

  @Test
  void aServerThatIsNotThereInTimeIsEnded() throws Exception {
    Path pid = directory.resolve("pid");
    ProcessBuilder command =
        new ProcessBuilder("sh", "-c", "echo $$ > " + pid + "; echo begun; exec sleep 600");

    assertThatThrownBy(
            () -> ServerProcess.start(command, line -> Optional.empty(), Duration.ofSeconds(2)))
        .isInstanceOf(TimeoutException.class);

    long started = Long.parseLong(Files.readString(pid).strip());
    assertThat(ProcessHandle.of(started).filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void aServerThatEndsIsNotWaitedFor() {
    ProcessBuilder command = new ProcessBuilder("sh", "-c", "echo no");

    assertThatThrownBy(() -> ServerProcess.start(command, line -> Optional.empty(), LONG))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("the server has ended");
  }

  @Test
  void itsEndpointIsInItsOutput() throws Exception {
    ProcessBuilder command = new ProcessBuilder("sh", "-c", "echo at 7; exec sleep 600");

    try (ServerProcess server =
        ServerProcess.start(
            command, line -> Optional.of(line).filter(each -> each.startsWith("at ")), LONG)) {
      assertThat(server.endpoint()).isEqualTo("at 7");
    }
  }
}
