package dev.anemone.evaluation.poolkills;

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

/** {@code evaluation/run pool-kills}: what a pool does when its processes are killed. */
@Command(
    name = "pool-kills",
    sortOptions = false,
    description =
        "Kills servers and clients of a pool at random while the clients write, read and delete,"
            + " and looks for wrong reads and leaked bytes.%n")
public final class PoolKills implements Callable<Integer> {
  private static final List<String> JVM_OPTIONS =
      List.of(
          "-Xmx96m",
          "-XX:MaxDirectMemorySize=128m",
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-Xshare:auto");

  @Spec private CommandSpec command;

  @Option(
      names = "--kills",
      defaultValue = "1000",
      paramLabel = "N",
      description = "How many processes are killed (default: ${DEFAULT-VALUE}).")
  private int kills;

  @Option(
      names = "--servers",
      defaultValue = "3",
      paramLabel = "N",
      description = "Servers of the pool, at least 2 (default: ${DEFAULT-VALUE}).")
  private int servers;

  @Option(
      names = "--clients",
      defaultValue = "4",
      paramLabel = "N",
      description = "Clients, at least 1 (default: ${DEFAULT-VALUE}).")
  private int clients;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the choices (default: another one each time; it is printed).")
  private Long seed;

  @Option(
      names = "--deadline",
      defaultValue = "7200",
      paramLabel = "SECONDS",
      description = "After which no more are killed (default: ${DEFAULT-VALUE}).")
  private int deadlineSeconds;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  boolean help;

  /**
   * Runs the experiment.
   *
   * @return the exit code: 1 when a read was wrong, an object is missing, a byte leaked, or fewer
   *     were killed than asked for
   * @throws IOException if a file cannot be written, no JVM can be started, or the pool does not
   *     answer
   * @throws InterruptedException if the thread is interrupted; the processes are killed then
   */
  @Override
  public Integer call() throws IOException, InterruptedException {
    require(kills >= 1, "--kills=" + kills + ": there must be one.");
    require(servers >= 2, "--servers=" + servers + ": names have a replica on another server.");
    require(clients >= 1, "--clients=" + clients + ": somebody must read and write.");
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    KillPlan plan =
        new KillPlan(
            evaluation.results("pool-kills"),
            evaluation.ownClassPath(),
            JVM_OPTIONS,
            seed == null ? System.nanoTime() : seed,
            kills,
            servers,
            clients,
            Duration.ofSeconds(deadlineSeconds));
    KillFigures figures = new KillExperiment(plan, command.commandLine().getOut()).run();
    return figures.isRight() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private void require(boolean right, String message) {
    if (!right) {
      throw new ParameterException(command.commandLine(), message);
    }
  }
}
