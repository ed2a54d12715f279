package dev.anemone.evaluation.kernel;

import dev.anemone.evaluation.EvaluationDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evaluation/run shuffle-allocation}: what a shuffled record costs on the heap. */
@Command(
    name = "shuffle-allocation",
    sortOptions = false,
    description =
        "Shuffles few records and many, by local files, by pushing, and through a pool of remote"
            + " memory, and prints what a record more allocates on the JVM's heap.%n")
public final class ShuffleAllocation implements Callable<Integer> {
  @Spec private CommandSpec command;

  @Option(
      names = "--records",
      defaultValue = "2000000",
      paramLabel = "N",
      description = "The many; the few are a quarter of them (default: ${DEFAULT-VALUE}).")
  private long records;

  @Option(
      names = "--partitions",
      defaultValue = "20",
      paramLabel = "N",
      description = "Partitions (default: ${DEFAULT-VALUE}).")
  private int partitions;

  @Option(
      names = "--transports",
      split = ",",
      defaultValue = "tcp",
      paramLabel = "NAME,...",
      description = "How the pool is reached: tcp, ucx (default: ${DEFAULT-VALUE}).")
  private List<String> transports;

  @Option(
      names = "--runs",
      defaultValue = "3",
      paramLabel = "N",
      description = "JVMs for each path (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  boolean help;

  /**
   * Runs the experiment.
   *
   * @return the exit code, 0
   * @throws IOException if a file cannot be read or written, or no JVM can be started
   * @throws InterruptedException if the thread is interrupted; running JVMs are killed then
   */
  @Override
  public Integer call() throws IOException, InterruptedException {
    if (records < 4 || partitions < 1 || runs < 1) {
      throw new ParameterException(
          command.commandLine(),
          "--records="
              + records
              + " must be at least 4, --partitions="
              + partitions
              + " and --runs="
              + runs
              + " at least 1.");
    }
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    AllocationPlan plan =
        new AllocationPlan(
            evaluation.results("shuffle-allocation"),
            evaluation.ownClassPath(),
            records / 4,
            records,
            partitions,
            64,
            transports,
            runs,
            Duration.ofMinutes(15));
    new AllocationExperiment(plan, command.commandLine().getOut()).run();
    return CommandLine.ExitCode.OK;
  }
}
