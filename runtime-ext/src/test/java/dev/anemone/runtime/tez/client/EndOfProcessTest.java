// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.engine.RunningJob;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of jobs, and of their files, when the process ends in which they run. */
@Timeout(120)
class EndOfProcessTest {

  private static final String RUNS = "the task runs";
  private static final int TOLD_TO_END = 128 + 15;

  @TempDir Path directory;

  private Process process;

  /** A program whose job has one task, which does not end unless it is interrupted. */
  static final class Program {

    public static void main(String[] arguments) throws InterruptedException {
      TestFunctions.HOOKS.put(
          "wait",
          (task, count) -> {
            System.out.println(RUNS);
            new CountDownLatch(1).await();
          });
      Path temporary = Path.of(arguments[0], "tmp");
      RunningJob job =
          TezEngine.of(new JobEngineOptions(1, 1, 64L << 20, temporary, new Deployment.InProcess()))
              .submit(
                  TestDags.job(
                      new TestDags()
                          .source("read", "x")
                          .operator("wait", TestFunctions.spec(TestFunctions.HOOK, "wait"), 1)
                          .oneToOne("read", "wait")
                          .build()));
      job.await(Optional.empty());
    }
  }

  private void startProgram() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("--add-opens"))
        .forEach(command::add);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Program.class.getName());
    command.add(directory.toString());
    process = new ProcessBuilder(command).redirectError(errors().toFile()).start();
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    String line = out.readLine();
    while (line != null && !line.equals(RUNS)) {
      line = out.readLine();
    }
    assertThat(line).as("%s", Files.readString(errors())).isEqualTo(RUNS);
  }

  private Path errors() {
    return directory.resolve("errors");
  }

  private List<Path> temporaryFiles() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("tmp"))) {
      return files.toList();
    }
  }

  @AfterEach
  void end() throws InterruptedException {
    if (process != null) {
      assertThat(process.destroyForcibly().waitFor(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aJobWhoseProcessIsToldToEndIsCancelledAndSaysSo() throws Exception {
    startProgram();
    process.destroy();
    assertThat(process.waitFor(5, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(TOLD_TO_END);
    assertThat(Files.readAllLines(errors()))
        .filteredOn(line -> line.startsWith("anemone:"))
        .singleElement()
        .asString()
        .matches("anemone: job .* was cancelled, as its process ends\\.");
    assertThat(temporaryFiles()).isEmpty();
  }

  @Test
  void whatAKilledProcessLeavesGoesWhenTheNextOneStarts() throws Exception {
    startProgram();
    List<Path> first = temporaryFiles();
    assertThat(first).hasSize(1);
    end();
    assertThat(temporaryFiles()).isEqualTo(first);
    startProgram();
    assertThat(temporaryFiles()).hasSize(1).doesNotContainAnyElementsOf(first);
  }
}
