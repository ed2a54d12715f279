package dev.anemone.evaluation.ndpfuzz;

import dev.anemone.evaluation.EvaluationDirectory;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evaluation/run ndp-fuzz}: requests at random at a proxy. */
@Command(
    name = "ndp-fuzz",
    sortOptions = false,
    description =
        "Sends right and damaged requests with plans to a proxy beside a data node. Each must be"
            + " answered, or refused with a reason, and no other file be read.%n")
public final class NdpFuzz implements Callable<Integer> {
  @Spec private CommandSpec command;

  @Option(
      names = "--requests",
      defaultValue = "10000",
      paramLabel = "N",
      description = "How many (default: ${DEFAULT-VALUE}).")
  private int requests;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "Other requests with another one (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  boolean help;

  /**
   * Runs the experiment.
   *
   * @return the exit code: 0 if all is as it must be, otherwise 1
   * @throws IOException if a file cannot be read or written, or the proxy cannot be started
   * @throws InterruptedException if the thread is interrupted
   */
  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandLine commandLine = command.commandLine();
    if (requests < 1) {
      throw new ParameterException(
          commandLine, "--requests=" + requests + ": there must be a request.");
    }
    FuzzFigures figures =
        new FuzzExperiment(
                EvaluationDirectory.ofLauncher().results("ndp-fuzz"),
                requests,
                seed,
                commandLine.getOut(),
                commandLine.getErr())
            .run();
    return figures.wrong().isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }
}
