// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command line of the experiments, {@code evaluation/run}. Tables go to the standard output,
 * progress and errors to the standard error stream. The exit code is 0 for a complete and correct
 * experiment, 1 for a failed one, 2 for a wrong command line.
 */
@Command(
    name = "evaluation/run",
    synopsisSubcommandLabel = "EXPERIMENT",
    description = {"Runs a measured experiment.", ""},
    commandListHeading = "%nExperiments:%n",
    optionListHeading = "Options:%n",
    resourceBundle = "dev.anemone.evaluation.commands",
    footer = {"", "Measure on an idle machine."})
public final class Evaluation implements Runnable {
  @Spec private CommandSpec command;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  boolean help;

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The command line; not yet run. */
  public static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new Evaluation());
    ServiceLoader.load(ExperimentCommand.class).forEach(commandLine::addSubcommand);
    return commandLine
        .setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(ByteSize.class, ByteSize::of)
        .setExecutionExceptionHandler(
            (error, failed, parseResult) -> {
              if (error instanceof ExperimentFailure) {
                failed.getErr().println("evaluation/run: " + error.getMessage());
              } else {
                error.printStackTrace(failed.getErr());
              }
              return CommandLine.ExitCode.SOFTWARE;
            });
  }

  /** Without an experiment there is nothing to do: says which there are. */
  @Override
  public void run() {
    throw new CommandLine.ParameterException(command.commandLine(), "Which experiment?");
  }
}
