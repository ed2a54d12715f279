// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobServerCommandTest {

  private static final int HEAP_MEBIBYTES = 200;

  @TempDir Path directory;

  /** However it ends: a process that is killed stops nothing that it has started. */
  @Test
  void theServerOfAProgramThatIsKilledEnds() throws Exception {
    Process program = new ProcessBuilder("sleep", "600").start();
    try (ServerProcess server =
        ServerProcess.jobServer(HEAP_MEBIBYTES, directory, "--parentProcess=" + program.pid())) {
      assertThat(server.process().isAlive()).isTrue();

      program.destroyForcibly();

      assertThat(server.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(server.process().exitValue()).isZero();
    } finally {
      program.destroyForcibly();
    }
  }

  @Test
  void aServerOfNoProgramDoesNotStart() {
    assertThatThrownBy(
            () ->
                ServerProcess.jobServer(
                    HEAP_MEBIBYTES, directory, "--parentProcess=" + Long.MAX_VALUE))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("the server has ended");
  }
}
