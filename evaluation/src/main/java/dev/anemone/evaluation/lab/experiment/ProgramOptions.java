// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.experiment;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.ReportingProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/** How an experiment starts the programs that it measures, each in JVMs of its own. */
public final class ProgramOptions {
  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "Largest heap of every measured JVM, as -Xmx takes it.")
  private String heap;

  @Option(
      names = "--jvm-option",
      paramLabel = "OPTION",
      description = "A further option of every measured JVM; may be given several times.")
  private List<String> jvmOptions = List.of();

  @Option(
      names = "--nemo-option",
      paramLabel = "OPTION",
      description =
          "A further option of NemoRunner for every run, such as --nemo-option=--slots=8; may be"
              + " given several times.")
  private List<String> nemoOptions = List.of();

  @Option(
      names = "--deadline",
      paramLabel = "SECONDS",
      description = "After which a program is killed, or has failed.")
  private int deadlineSeconds;

  public ProgramOptions(String heap, int deadlineSeconds) {
    this.heap = heap;
    this.deadlineSeconds = deadlineSeconds;
  }

  /** Largest heap of a JVM, as -Xmx takes it. */
  public String heap() {
    return heap;
  }

  /** The options of every JVM that differ from the defaults, to be reported. */
  public List<String> chosenJvmOptions() {
    return Arguments.of("-Xmx" + heap, jvmOptions);
  }

  /** The options of a JVM that runs NemoRunner. */
  public List<String> jvmOptions() throws IOException {
    return Arguments.of(chosenJvmOptions(), NemoJvm.options());
  }

  /** Some options of NemoRunner, and those that the user gave. */
  public List<String> nemoOptions(String... before) {
    return Arguments.of(List.of(before), nemoOptions);
  }

  /** Runs programs with these options; a directory gets their logs and passing files. */
  public ReportingProcess process(Path directory, EvaluationDirectory evaluation)
      throws IOException {
    return new ReportingProcess(directory, evaluation.ownClassPath(), jvmOptions(), deadline());
  }

  /** After which a program is killed. */
  public Duration deadline() {
    return Duration.ofSeconds(deadlineSeconds);
  }
}
