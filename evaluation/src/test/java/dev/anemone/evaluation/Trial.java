// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.report.Findings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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
  /**
   * Runs an experiment.
   *
   * @param project stands for that of the project
   * @param arguments of {@code evaluation/run}
   */
  public static Trial of(Path project, String... arguments) throws IOException {
    Path target = Files.createDirectories(project.resolve("evaluation/target"));
    Files.writeString(target.resolve("runtime.classpath"), System.getProperty("java.class.path"));
    if (!Files.exists(target.resolve("tpch"))) {
      Files.createSymbolicLink(
          target.resolve("tpch"),
          Files.createDirectories(Path.of("target", "test-tpch").toAbsolutePath()));
    }
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

  /** What it has written to its file of figures; fails if it did not end well. */
  public <F extends Record> F figures(Class<F> type) throws IOException {
    if (exitCode != 0) {
      throw new AssertionError("The experiment ended with " + exitCode + ":\n" + err + out);
    }
    return Findings.read(results.resolve(ExperimentCommand.FIGURES_FILE), type).figures();
  }
}
