// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The command line. Results go to the standard output, everything else to the standard error
 * stream. The exit code is 0 for success, 1 for a program that failed or refused its options, 2 for
 * a wrong command.
 */
@Command(
    name = "anemone",
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Runs Apache Beam pipelines on NemoRunner, the optimizing runner on Apache Tez.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    commandListHeading = "%nCommands:%n",
    optionListHeading = "Options:%n",
    footer = {
      "",
      "Any command also takes --stacktrace, which prints the whole stack trace of an error.",
      "",
      "On a cluster:",
      "  anemone cluster --help   HDFS and YARN on this machine",
      "  anemone fs -help         Hadoop's file system shell",
      "  anemone yarn logs -help  Hadoop's commands: yarn logs, yarn application, yarn node",
      "",
      "Environment:",
      "  ANEMONE_HEAP=6g          heap of the JVM (default: half of the memory)",
      "  ANEMONE_JAVA_OPTS='...'  more options for the JVM",
      "  ANEMONE_LOG=debug        print the log to the standard error stream",
      "  ANEMONE_STACKTRACE=1     as --stacktrace",
      "",
      "Example: anemone run com.example.MyPipeline --classpath=my-pipeline.jar --input=..."
    })
public final class Anemone implements Runnable {
  private static final int SUCCESS = 0;
  private static final int FAILURE = 1;
  private static final int WRONG_USAGE = 2;
  private static final int HELP_WIDTH = 100;
  private static final Set<String> HELP_OPTIONS = Set.of("-h", "--help", "-V", "--version");
  private static final String STACK_TRACE_OPTION = "--stacktrace";
  private static final String STACK_TRACE_VARIABLE = "ANEMONE_STACKTRACE";

  @Spec private CommandSpec command;

  /** Runs a command and exits with its code. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  /**
   * Runs a command.
   *
   * @return the exit code
   */
  static int run(String... args) {
    List<String> arguments = new ArrayList<>(List.of(args));
    boolean asked = arguments.removeIf(STACK_TRACE_OPTION::equals);
    String variable = System.getenv(STACK_TRACE_VARIABLE);
    boolean stackTrace =
        asked || (variable != null && !variable.isEmpty() && !variable.equals("0"));
    // Before picocli: its reflection would take a quarter of a second of every start.
    Commands commands = Commands.found();
    Optional<PassThroughCommand> program =
        arguments.isEmpty() ? Optional.empty() : commands.program(arguments.get(0));
    if (program.isPresent() && !(arguments.size() > 1 && HELP_OPTIONS.contains(arguments.get(1)))) {
      return run(program.get(), arguments.subList(1, arguments.size()), stackTrace);
    }
    return commandLine(commands)
        .setParameterExceptionHandler((error, ignored) -> explain(error))
        .setExecutionExceptionHandler(
            (error, failed, parseResult) -> {
              new ErrorReport(arguments).print(error, stackTrace, failed.getErr());
              return FAILURE;
            })
        .execute(arguments.toArray(new String[0]));
  }

  /** What picocli reads and explains. */
  static CommandLine commandLine(Commands commands) {
    return commands.addTo(new CommandLine(new Anemone())).setUsageHelpWidth(HELP_WIDTH);
  }

  private static int run(PassThroughCommand program, List<String> arguments, boolean stackTrace) {
    try {
      program.call(arguments);
      return SUCCESS;
    } catch (Throwable error) {
      PrintWriter err = new PrintWriter(System.err, true, Charset.defaultCharset());
      new ErrorReport(arguments).print(error, stackTrace, err);
      return error instanceof WrongUsageException ? WRONG_USAGE : FAILURE;
    }
  }

  /** Says what is wrong with the command line, and what would be right. */
  private static int explain(CommandLine.ParameterException error) {
    CommandLine commandLine = error.getCommandLine();
    PrintWriter err = commandLine.getErr();
    err.println("anemone: " + error.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(error, err);
    err.println();
    commandLine.usage(err);
    return WRONG_USAGE;
  }

  /** Without a command there is nothing to do: says which there are. */
  @Override
  public void run() {
    throw new CommandLine.ParameterException(command.commandLine(), "Which command?");
  }
}
