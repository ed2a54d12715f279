// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code anemone cluster}. Lines for a shell to evaluate go to the standard output, everything else
 * to the standard error stream. The exit code is 0 for success, 1 for a failure, 2 for a wrong
 * command.
 */
@Command(
    name = "anemone cluster",
    synopsisSubcommandLabel = "COMMAND",
    description = {"HDFS and YARN on this machine.", ""},
    subcommands = {StartCommand.class, StatusCommand.class, StopCommand.class},
    mixinStandardHelpOptions = true,
    commandListHeading = "%nCommands:%n",
    optionListHeading = "Options:%n",
    footer = {
      "",
      "Environment:",
      "  ANEMONE_CLUSTER_DIR  where the cluster is written down (default: ~/.anemone/cluster)",
      "",
      "Example: eval \"$(anemone cluster start --nodes=3)\"",
      "         anemone fs -put README.md /tmp/",
      "         anemone cluster stop"
    })
public final class ClusterCommand implements Runnable {
  private static final String STACK_TRACE_VARIABLE = "ANEMONE_STACKTRACE";
  private static final int FAILURE = 1;
  private static final int WRONG_USAGE = 2;
  private static final int HELP_WIDTH = 100;

  @Spec private CommandSpec command;

  /** Runs a command and exits with its code. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  /**
   * Runs a command.
   *
   * @return the exit code
   */
  static int run(String... arguments) {
    return new CommandLine(new ClusterCommand())
        .setUsageHelpWidth(HELP_WIDTH)
        .setParameterExceptionHandler((error, ignored) -> explain(error))
        .setExecutionExceptionHandler(
            (error, failed, parseResult) -> {
              if (!System.getenv().getOrDefault(STACK_TRACE_VARIABLE, "").isEmpty()) {
                error.printStackTrace(failed.getErr());
              }
              failed.getErr().println("anemone: " + error.getMessage());
              return FAILURE;
            })
        .execute(arguments);
  }

  private static int explain(CommandLine.ParameterException error) {
    CommandLine commandLine = error.getCommandLine();
    commandLine.getErr().println("anemone: " + error.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(error, commandLine.getErr());
    commandLine.getErr().println();
    commandLine.usage(commandLine.getErr());
    return WRONG_USAGE;
  }

  /** Without a command there is nothing to do: says which there are. */
  @Override
  public void run() {
    throw new CommandLine.ParameterException(command.commandLine(), "Which command?");
  }
}
