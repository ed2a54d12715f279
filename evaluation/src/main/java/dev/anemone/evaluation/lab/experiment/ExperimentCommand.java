// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.experiment;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What the commands of {@code evaluation/run} have in common; each of them is an experiment. */
public abstract class ExperimentCommand implements Callable<Integer> {
  @Spec private CommandSpec command;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  boolean help;

  /**
   * Checks the options, runs the experiment, and prints what it found.
   *
   * @return whether the experiment is complete, and all that it checked was right
   * @throws ParameterException if an option cannot be
   * @throws Exception if it could not be run; processes that it started have ended then
   */
  protected abstract boolean measure() throws Exception;

  /**
   * Runs the experiment.
   *
   * @return the exit code, 0 or 1
   */
  @Override
  public final Integer call() throws Exception {
    return measure() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  /** Where tables go. */
  protected final PrintWriter out() {
    return command.commandLine().getOut();
  }

  /** Where progress goes. */
  protected final PrintWriter err() {
    return command.commandLine().getErr();
  }

  /** An error of the command line; says which option, what was wrong, and what would be right. */
  protected final ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }

  /** The same for what another one found. */
  protected final ParameterException wrong(String message, Throwable cause) {
    return new ParameterException(command.commandLine(), message, cause);
  }

  /**
   * Refuses an option that cannot be.
   *
   * @param holds what must hold of its value
   * @param reason why it must
   */
  protected final void require(String option, Object value, boolean holds, String reason) {
    if (!holds) {
      throw wrong(option + "=" + value + ": " + reason + ".");
    }
  }
}
