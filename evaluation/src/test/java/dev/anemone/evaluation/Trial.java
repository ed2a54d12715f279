// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.evaluation.lab.report.Findings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/**
 * An experiment as a user runs it, with the class path of the tests, and files below a directory of
 * its own; tables of TPC-H are shared by all tests.
 *
 * @param exitCode of the command
 * @param out what it printed
 * @param err what it said of its progress, and of what went wrong
 * @param results the directory of the experiment
 */
public record Trial(int exitCode, String out, String err, Path results) {
  private static final Duration PROGRAM_DEADLINE = Duration.ofMinutes(30);

  /**
   * Runs an experiment.
   *
   * @param project stands for that of the project
   * @param arguments of {@code evaluation/run}
   */
  public static Trial of(Path project, String... arguments) throws IOException {
    Path target = target(project);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    System.setProperty(EvaluationDirectory.PROPERTY, target.getParent().toString());
    try {
      CommandLine commandLine = Evaluation.commandLine();
      commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
      int exitCode = commandLine.execute(arguments);
      return new Trial(exitCode, out.toString(), err.toString(), target.resolve(arguments[0]));
    } finally {
      System.clearProperty(EvaluationDirectory.PROPERTY);
    }
  }

  /**
   * Runs an experiment as a process of its own; what it prints is all in {@link #err}.
   *
   * @param project stands for that of the project
   * @param before the beginning of its command
   * @param arguments of {@code evaluation/run}
   */
  public static Trial ofProgram(Path project, List<String> before, String... arguments)
      throws IOException, InterruptedException {
    Path target = target(project);
    Path log = target.resolve("program.log");
    List<String> options = new ArrayList<>(NemoJvm.options("1g"));
    options.add("-D" + EvaluationDirectory.PROPERTY + "=" + target.getParent());
    ProcessFigures program =
        MeasuredProcess.run(
            Arguments.of(
                before,
                JavaProgram.of(
                        Evaluation.class,
                        System.getProperty("java.class.path"),
                        options,
                        List.of(arguments))
                    .command()),
            target,
            log,
            PROGRAM_DEADLINE);
    return new Trial(
        program.exitCode().orElse(-1), "", Files.readString(log), target.resolve(arguments[0]));
  }

  private static Path target(Path project) throws IOException {
    Path target = Files.createDirectories(project.resolve("evaluation/target"));
    Files.writeString(target.resolve("runtime.classpath"), System.getProperty("java.class.path"));
    if (!Files.exists(target.resolve("tpch"))) {
      Files.createSymbolicLink(
          target.resolve("tpch"),
          Files.createDirectories(Path.of("target", "test-tpch").toAbsolutePath()));
    }
    return target;
  }

  /** What it has written to its file of figures; fails if it did not end well. */
  public <F extends Record> F figures(Class<F> type) throws IOException {
    if (exitCode != 0) {
      throw new AssertionError("The experiment ended with " + exitCode + ":\n" + err + out);
    }
    return Findings.read(results.resolve(ExperimentCommand.FIGURES_FILE), type).figures();
  }
}
