// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run cluster-soak}: many jobs on a cluster that keeps failing. */
@Command(
    name = "cluster-soak",
    sortOptions = false,
    description =
        "Counts words again and again on a cluster of this machine, each time with a random policy"
            + " and a random fault: a killed container or application master, a lost node, user"
            + " code that fails, a slow task. Checks every answer.%n")
public final class ClusterSoak extends ExperimentCommand {
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

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    require("--jobs", jobs, jobs >= 1, "there must be a job");
    require("--nodes", nodes, nodes >= 2, "when a node is lost, there must be another one");
    require("--job-seconds", jobSeconds, jobSeconds >= 1, "a job takes time");
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
    SoakFigures figures = new SoakExperiment(plan, out(), err()).run();
    return figures.count(SoakFigures.Outcome.RIGHT) == jobs;
  }
}
