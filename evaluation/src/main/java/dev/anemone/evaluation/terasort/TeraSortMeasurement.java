package dev.anemone.evaluation.terasort;

import dev.anemone.evaluation.ByteSize;
import dev.anemone.evaluation.EvaluationDirectory;
import dev.anemone.evaluation.Megabytes;
import dev.anemone.evaluation.NemoJvm;
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

/** {@code evaluation/run terasort}: much data in little memory. */
@Command(
    name = "terasort",
    sortOptions = false,
    description =
        "Generates records, sorts them with NemoRunner in a JVM with little memory, and validates"
            + " the result. Prints times, memory, and what went over the edges.%n")
public final class TeraSortMeasurement implements Callable<Integer> {
  private static final int RECORD_BYTES = 100;

  @Spec private CommandSpec command;

  @Option(
      names = "--bytes",
      defaultValue = "4g",
      converter = ByteSize.class,
      paramLabel = "SIZE",
      description = "What is sorted: bytes, or such as 10k, 200m, 1g (default: ${DEFAULT-VALUE}).")
  private long bytes;

  @Option(
      names = "--heap",
      defaultValue = "1g",
      paramLabel = "SIZE",
      description = "Largest heap, as -Xmx takes it (default: ${DEFAULT-VALUE}).")
  private String heap;

  @Option(
      names = "--off-heap",
      defaultValue = "512m",
      converter = Megabytes.class,
      paramLabel = "SIZE",
      description = "Direct memory, such as 512m or 1g (default: ${DEFAULT-VALUE}).")
  private int offHeapMegabytes;

  @Option(
      names = "--nemo-option",
      paramLabel = "OPTION",
      description =
          "A further option of NemoRunner, such as"
              + " --nemo-option=--optimizationPolicy=LargeShuffle; may be given several times.")
  private List<String> nemoOptions = List.of();

  @Option(
      names = "--deadline",
      defaultValue = "1800",
      paramLabel = "SECONDS",
      description = "After which a program is killed (default: ${DEFAULT-VALUE}).")
  private int deadlineSeconds;

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
   * @throws InterruptedException if the thread is interrupted; a running JVM is killed then
   */
  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandLine commandLine = command.commandLine();
    if (bytes < RECORD_BYTES) {
      throw new ParameterException(
          commandLine, "--bytes=" + bytes + ": a record alone has " + RECORD_BYTES + " bytes.");
    }
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    TeraSortPlan plan =
        new TeraSortPlan(
            evaluation.results("terasort"),
            evaluation.nemoClassPath(),
            bytes / RECORD_BYTES,
            heap,
            offHeapMegabytes,
            NemoJvm.options(),
            nemoOptions,
            Duration.ofSeconds(deadlineSeconds));
    new TeraSortExperiment(plan, commandLine.getOut()).run();
    return CommandLine.ExitCode.OK;
  }
}
