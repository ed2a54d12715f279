package dev.anemone.evaluation.soak;

import dev.anemone.evaluation.EvaluationDirectory;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evaluation/run cluster-soak}: many jobs on a cluster that keeps failing. */
@Command(
    name = "cluster-soak",
    sortOptions = false,
    description =
        "Counts words again and again on a cluster of this machine, each time with a random policy"
            + " and a random fault: a killed container or application master, a lost node, user"
            + " code that fails, a slow task. Checks every answer.%n")
public final class ClusterSoak implements Callable<Integer> {
  @Spec private CommandSpec command;

  @Option(
      names = "--jobs",
      defaultValue = "100",
      paramLabel = "N",
      description = "How many jobs (default: ${DEFAULT-VALUE}).")
  private int jobs;

  @Option(
      names = "--nodes",
      defaultValue = "3",
      paramLabel = "N",
      description = "Nodes of the cluster, at least 2 (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Of the random choices (default: another one each time).")
  private Long seed;

  @Option(
      names = "--policies",
      defaultValue =
          "Default,BasicPush,LargeShuffle,ConditionalLargeShuffle,DataSkew,"
              + "SamplingLargeShuffleSkew,TransientResource",
      split = ",",
      paramLabel = "LIST",
      description = "Policies to choose from (default: ${DEFAULT-VALUE}).")
  private List<String> policies;

  @Option(
      names = "--faults",
      defaultValue = "NONE,KILLED_CONTAINER,KILLED_MASTER,LOST_NODE,FAILING_CODE,SLOW_TASK",
      split = ",",
      paramLabel = "LIST",
      description = "Faults to choose from (default: ${DEFAULT-VALUE}).")
  private List<SoakFault> faults;

  @Option(
      names = "--job-seconds",
      defaultValue = "60",
      paramLabel = "SECONDS",
      description =
          "What a job without a fault may take. One that runs for a minute more than this and the"
              + " time to recover is taken to hang (default: ${DEFAULT-VALUE}).")
  private int jobSeconds;

  @Option(
      names = "--nemo-option",
      paramLabel = "OPTION",
      description = "A further option of NemoRunner; may be given several times.")
  private List<String> nemoOptions = List.of();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  boolean help;

  /**
   * Runs the experiment.
   *
   * @return the exit code: 0 if all answers were right, 1 otherwise
   * @throws IOException if the cluster does not start or recover, or a file cannot be written
   */
  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandLine commandLine = command.commandLine();
    require("--jobs", jobs, 1, "there must be a job");
    require("--nodes", nodes, 2, "when a node is lost, there must be another one");
    require("--job-seconds", jobSeconds, 1, "a job takes time");
    SoakPlan plan =
        new SoakPlan(
            EvaluationDirectory.ofLauncher().results("cluster-soak"),
            jobs,
            nodes,
            policies,
            faults,
            seed == null ? new SplittableRandom().nextLong(Integer.MAX_VALUE) : seed,
            jobSeconds,
            nemoOptions);
    SoakFigures figures =
        new SoakExperiment(plan, commandLine.getOut(), commandLine.getErr()).run();
    return figures.count(SoakFigures.Outcome.RIGHT) == jobs
        ? CommandLine.ExitCode.OK
        : CommandLine.ExitCode.SOFTWARE;
  }

  private void require(String option, int value, int least, String reason) {
    if (value < least) {
      throw new ParameterException(
          command.commandLine(), option + "=" + value + ": " + reason + ".");
    }
  }
}
