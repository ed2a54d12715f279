// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeashedProgramTest {
  private static final long PATIENCE_SECONDS = 30;

  @Test
  void theExitCodeIsTheProgramsOwn() throws Exception {
    Process process = start("sh", "-c", "exit 7");

    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(7);
  }

  @Test
  void aProgramEndsWithWhoStartedIt() throws Exception {
    // Who started it holds the other end of its input; the program says its number, and stays.
    Process process = start("sh", "-c", "echo $$; exec sleep 600");
    ProcessHandle program =
        ProcessHandle.of(Long.parseLong(process.inputReader().readLine())).orElseThrow();
    assertThat(program.isAlive()).isTrue();

    process.getOutputStream().close();

    program.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aProgramEndsWithItsShell() throws Exception {
    Process process = start("sh", "-c", "echo $$; exec sleep 600");
    ProcessHandle program =
        ProcessHandle.of(Long.parseLong(process.inputReader().readLine())).orElseThrow();

    process.destroyForcibly();

    program.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private static Process start(String... command) throws IOException {
    return new ProcessBuilder(LeashedProgram.command(List.of(command))).start();
  }
}
