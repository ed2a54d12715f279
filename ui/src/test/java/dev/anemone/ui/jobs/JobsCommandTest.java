// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.event.EventLogWriter;
import dev.anemone.runtime.event.JobFinished;
import dev.anemone.runtime.event.JobStarted;
import dev.anemone.runtime.event.StagesPlanned;
import dev.anemone.runtime.event.StagesPlanned.Stage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class JobsCommandTest {

  private static final String TEMP = "java.io.tmpdir";

  @TempDir Path directory;

  private final PrintStream standardOutput = System.out;
  private final String temp = System.getProperty(TEMP);
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void noOtherJobOfThisUserIsSeen() {
    System.setProperty(TEMP, directory.toString());
    System.setOut(new PrintStream(out, true, UTF_8));
  }

  @AfterEach
  void restore() {
    System.setProperty(TEMP, temp);
    System.setOut(standardOutput);
  }

  private int run(String... arguments) {
    return new CommandLine(new JobsCommand())
        .setErr(new PrintWriter(err, true))
        .setExecutionExceptionHandler(
            (error, command, parsed) -> {
              err.append(error.getMessage());
              return 1;
            })
        .execute(arguments);
  }

  private String logs() throws IOException {
    Path logs = Files.createDirectories(directory.resolve("logs"));
    log(logs, "3f0c2a4e-1", "wordcount-ann-1125094407-3b1c", JobFinished.State.SUCCEEDED);
    log(logs, "3f0c2a4e-2", "pagerank", JobFinished.State.FAILED);
    return "--logs=" + logs;
  }

  private static void log(Path logs, String id, String name, JobFinished.State state)
      throws IOException {
    try (EventLogWriter writer =
        new EventLogWriter(Files.newOutputStream(logs.resolve(id + ".jsonl")))) {
      writer.write(
          new JobStarted(
              1_000, 1, "", id, name, "Default", Map.of(), JobStarted.Environment.UNKNOWN));
      writer.write(
          new StagesPlanned(
              1_000,
              List.of(new Stage("s0", "Read", List.of("v1"), 4, List.of("Read", "Count"))),
              List.of()));
      writer.write(
          new JobFinished(
              13_500,
              state,
              state == JobFinished.State.FAILED
                  ? Optional.of(
                      new JobFinished.Failure(
                          "java.io.IOException: the disk is full",
                          "",
                          Optional.empty(),
                          Optional.empty(),
                          Optional.empty()))
                  : Optional.empty()));
    }
  }

  @Test
  void withoutAnyJobThatIsSaid() {
    assertThat(run()).isZero();
    assertThat(out.toString(UTF_8)).startsWith("There are no jobs of this user on this machine.");
  }

  @Test
  void jobsThatHaveEndedAreListedAndShownFromTheirLogs() throws IOException {
    assertThat(run(logs())).isZero();
    assertThat(out.toString(UTF_8))
        .containsPattern("3f0c2a4e-1 +succeeded +.* 12\\.5 s +wordcount +event log")
        .containsPattern("3f0c2a4e-2 +failed ");

    out.reset();
    assertThat(run("show", logs(), "3f0c2a4e-2")).as(err.toString()).isZero();
    assertThat(out.toString(UTF_8))
        .contains("policy   Default", "the disk is full", "Read -> Count  0/4");
  }

  @Test
  void onlyAJobThatRunsCanBeKilled() throws IOException {
    assertThat(run("kill", "3f0c2a4e")).isEqualTo(1);
    assertThat(err.toString()).contains("There is no job 3f0c2a4e of this user on this machine");

    assertThat(run("kill", "3f0c2a4e-1", logs())).isEqualTo(1);
    assertThat(err.toString()).contains("does not run: its state is succeeded");
  }

  @Test
  void whatSeveralIdsBeginWithNamesNone() throws IOException {
    assertThat(run("show", "3f0c", logs())).isEqualTo(1);
    assertThat(err.toString())
        .contains("2 jobs have an id that begins with 3f0c", "[3f0c2a4e-1, 3f0c2a4e-2]");
  }
}
