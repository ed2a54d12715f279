// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.network.Namespaces;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.evaluation.robust.soak.SoakJob.Outcome;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run cluster-soak}: many jobs on a cluster that keeps failing. */
@Command(name = "cluster-soak")
public final class ClusterSoak extends ExperimentCommand {
  @Option(names = "--jobs", description = "How many jobs.")
  private int jobs = 100;

  @Option(names = "--nodes", description = "Nodes of the cluster, at least 2.")
  private int nodes = 3;

  @Option(names = "--seed", description = "Of the random choices (default: another one each time).")
  private Long seed;

  @Option(
      names = "--policies",
      defaultValue =
          "Default,BasicPush,LargeShuffle,ConditionalLargeShuffle,DataSkew,"
              + "SamplingLargeShuffleSkew,TransientResource",
      split = ",",
      paramLabel = "LIST",
      description = "Policies to choose from.")
  private List<String> policies;

  @Option(
      names = "--forms",
      defaultValue = "ROWS,COLUMNS",
      split = ",",
      paramLabel = "LIST",
      description = "Whether words are counted in rows, or joined and counted in columns.")
  private List<SoakForm> forms;

  @Option(
      names = "--faults",
      defaultValue =
          "NONE,KILLED_CONTAINER,HALF_OF_CONTAINERS,PAUSED_CONTAINER,KILLED_MASTER,LOST_NODE,"
              + "FAILING_CODE,SLOW_TASK",
      split = ",",
      paramLabel = "LIST",
      description =
          "Faults to choose from. Beside the default: DROPPED_PACKETS, FULL_DISK, SLOW_DISK, which"
              + " need root and namespaces of their own (unshare --net --mount), and CLOCK_JUMP,"
              + " which needs libfaketime.")
  private List<SoakFault> faults;

  @Option(names = "--side-by-side", description = "How many jobs run at once, of one program.")
  private int sideBySide = 1;

  @Option(
      names = "--job-seconds",
      paramLabel = "SECONDS",
      description =
          "What a job without a fault may take. One that runs for a minute more than this and the"
              + " time to recover is taken to hang.")
  private int jobSeconds = 60;

  @Option(
      names = "--nemo-option",
      paramLabel = "OPTION",
      description = "A further option of NemoRunner; may be given several times.")
  private List<String> nemoOptions = List.of();

  record Figures(int nodes, long seed, List<SoakJob.Result> jobs) {}

  @Override
  protected void check() {
    require("--jobs", jobs, jobs >= 1, "there must be a job");
    require("--nodes", nodes, nodes >= 2, "when a node is lost, there must be another one");
    require("--side-by-side", sideBySide, sideBySide >= 1, "one job runs at least");
    require("--job-seconds", jobSeconds, jobSeconds >= 1, "a job takes time");
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    Set<SoakFault> possible = EnumSet.copyOf(faults);
    if (possible.stream().anyMatch(SoakFault::ofTheMachine)) {
      Namespaces.require("cluster-soak");
    }
    long drawn = seed == null ? new SplittableRandom().nextLong(Integer.MAX_VALUE) : seed;
    Path work = directory().resolve("work");
    FileTrees.delete(work);
    Files.createDirectories(work);
    List<SoakJob.Result> results = new ArrayList<>();
    progress("seed %d", drawn);
    try (SoakCluster cluster = SoakCluster.start(work.resolve("cluster"), nodes, drawn, possible)) {
      SplittableRandom random = new SplittableRandom(drawn);
      while (results.size() < jobs) {
        SoakRound round = draw(results.size() + 1, random, work);
        round.jobs().forEach(job -> progress("%s", job.describe()));
        List<SoakJob.Result> finished = round.run(nemoOptions, cluster, random.split());
        finished.forEach(this::report);
        results.addAll(finished);
      }
    } finally {
      FileTrees.delete(work);
    }
    publish(
        new Figures(nodes, drawn, results),
        text("%d jobs on a cluster of %d nodes, seed %d", jobs, nodes, drawn),
        table(results),
        "Seconds are those of a job, with the start of its application where there was none.");
    return count(results, Outcome.RIGHT) == jobs;
  }

  /** Jobs from a number on, which differ in what does not matter to their neighbours. */
  private SoakRound draw(int first, SplittableRandom random, Path work) {
    List<SoakJob> round = new ArrayList<>();
    for (int number = first; number <= Math.min(jobs, first + sideBySide - 1); number++) {
      round.add(
          SoakJob.draw(
              policies,
              round.isEmpty() ? forms : List.of(round.get(0).form()),
              round.isEmpty() ? faults : List.of(round.get(0).fault()),
              jobSeconds * sideBySide,
              number,
              random.split(),
              work));
    }
    return new SoakRound(round);
  }

  private void report(SoakJob.Result job) {
    progress(
        "job %d: %s after %.1f s%s",
        job.number(),
        job.outcome(),
        job.seconds(),
        job.problem().isEmpty() ? "" : ": " + job.problem());
  }

  private static MarkdownTable table(List<SoakJob.Result> jobs) {
    MarkdownTable table =
        new MarkdownTable(
            "fault; jobs; happened; right; wrong; failed; hung; median s|%.1f; max s|%.1f");
    for (SoakFault fault : SoakFault.values()) {
      addRow(table, fault.words(), jobs.stream().filter(job -> job.fault() == fault).toList());
    }
    for (SoakForm form : SoakForm.values()) {
      addRow(
          table, "all " + form.words(), jobs.stream().filter(job -> job.form() == form).toList());
    }
    addRow(table, "all", jobs);
    return table;
  }

  private static void addRow(MarkdownTable table, String name, List<SoakJob.Result> jobs) {
    if (!jobs.isEmpty()) {
      Summary seconds = Summary.of(jobs, SoakJob.Result::seconds);
      table.row(
          name,
          jobs.size(),
          jobs.stream().filter(SoakJob.Result::happened).count(),
          count(jobs, Outcome.RIGHT),
          count(jobs, Outcome.WRONG),
          count(jobs, Outcome.FAILED),
          count(jobs, Outcome.HUNG),
          seconds.median(),
          seconds.max());
    }
  }

  private static long count(List<SoakJob.Result> jobs, Outcome outcome) {
    return jobs.stream().filter(job -> job.outcome() == outcome).count();
  }
}
