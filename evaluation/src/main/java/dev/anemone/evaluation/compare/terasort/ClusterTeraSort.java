// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import dev.anemone.evaluation.compare.terasort.ClusterSorts.Side;
import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.cluster.ExecutorOptions;
import dev.anemone.evaluation.lab.cluster.ExecutorOptions.Executors;
import dev.anemone.evaluation.lab.cluster.NodeLoss;
import dev.anemone.evaluation.lab.cluster.NodeLoss.LostNode;
import dev.anemone.evaluation.lab.cluster.SharedCluster;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.experiment.Runs;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run cluster-terasort}: a large shuffle on the same YARN and HDFS as Spark. */
@Command(name = "cluster-terasort")
public final class ClusterTeraSort extends ExperimentCommand {
  @Option(
      names = "--bytes",
      paramLabel = "SIZE",
      description = "What is sorted: bytes, or such as 10k, 200m, 1g.")
  private ByteSize bytes = ByteSize.of("10g");

  @Option(
      names = "--policies",
      defaultValue = "Default,LargeShuffle",
      split = ",",
      paramLabel = "LIST",
      description = "Policies of NemoRunner.")
  private List<String> policies;

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "PEER",
      description = "${COMPLETION-CANDIDATES}.")
  private List<Peer> peers = List.of(Peer.spark);

  /** Null when no node is to be lost. */
  @Option(
      names = "--kill-node",
      arity = "0..1",
      fallbackValue = "any",
      paramLabel = "WHICH",
      description =
          "Sort once more each time, and let a node without an application master be lost after"
              + " half of the time that it took: any (the default), or the fullest, whose"
              + " containers have most on its disk.")
  private NodeLoss.Choice killNode;

  @Mixin private Runs runs = new Runs(1);
  @Mixin private ExecutorOptions executors = new ExecutorOptions();
  @Mixin private ProgramOptions programs = new ProgramOptions("2g", 3_600);

  /** Whom NemoRunner is compared with; named as on the command line. */
  enum Peer {
    spark,
    none
  }

  record Figures(
      long bytes, int replicas, Executors executors, List<String> jvmOptions, List<SortRun> runs) {}

  @Override
  protected void check() {
    require(
        "--bytes",
        bytes,
        bytes.bytes() >= TeraSortPrograms.RECORD_BYTES,
        "a record alone has " + TeraSortPrograms.RECORD_BYTES + " bytes");
    require(
        "--nodes",
        executors.executors().count(),
        killNode == null || executors.executors().count() > 2,
        "when one is lost, a block and its replica may be on two others, so --kill-node needs 3");
  }

  /** What is on a lost node, input or a plan, has to be on another one, too. */
  private int replicas() {
    return killNode == null ? 1 : 2;
  }

  /**
   * Of input, output and shuffle, which is kept by who pushes it and written by aggregations. What
   * a lost node has stays on its disk, and is made again on others.
   */
  private long room() {
    long all = bytes.bytes() * (2 * replicas() + 3);
    return all + (killNode == null ? 0 : all / executors.executors().count());
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    Path work = directory().resolve("work");
    FileTrees.delete(work);
    Files.createDirectories(work);
    List<SortRun> finished = new ArrayList<>();
    try {
      SharedCluster.requireRoom(work, room(), "Sorting " + bytes);
      try (SharedCluster cluster =
          SharedCluster.start(
              work.resolve("cluster"),
              executors,
              Map.of("dfs.replication", Integer.toString(replicas())))) {
        ClusterSorts sorts = new ClusterSorts(evaluation(), cluster, directory(), work, programs);
        sorts.generate(bytes.bytes() / TeraSortPrograms.RECORD_BYTES);
        List<Side> sides = sides(sorts);
        for (Side side : sides) {
          sorts.sortFirst(side);
        }
        for (int run = 1; run <= runs.count(); run++) {
          for (Side side : sides) {
            finished.addAll(sort(sorts, side, run));
          }
          Collections.rotate(sides, -1);
        }
      }
    } finally {
      FileTrees.delete(work);
    }
    publish(
        new Figures(
            bytes.bytes(),
            replicas(),
            executors.executors(),
            programs.chosenJvmOptions(),
            finished),
        text(
            "TeraSort, %s in HDFS, on YARN; %s; whole processes, %d each",
            bytes, executors.executors(), runs.count()),
        SortRun.table(finished),
        SortRun.problems(finished));
    return finished.stream().allMatch(SortRun::right);
  }

  private List<Side> sides(ClusterSorts sorts) throws IOException, InterruptedException {
    List<Side> sides = new ArrayList<>();
    for (String policy : policies) {
      sides.add(sorts.nemo(policy));
    }
    if (peers.contains(Peer.spark)) {
      sides.add(sorts.spark());
    }
    return sides;
  }

  private List<SortRun> sort(ClusterSorts sorts, Side side, int run)
      throws IOException, InterruptedException {
    SortRun usual = finish(sorts, side, run, sorts.sort(side, "run-" + run), Optional.empty());
    if (killNode == null || !usual.right()) {
      return List.of(usual);
    }
    Duration half = Duration.ofMillis((long) (usual.seconds() * 1_000 / 2));
    try (NodeLoss loss = NodeLoss.after(half, sorts.cluster(), killNode)) {
      ProcessFigures sorted = sorts.sort(side, "killed-" + run);
      return List.of(usual, finish(sorts, side, run, sorted, Optional.of(loss)));
    }
  }

  private SortRun finish(
      ClusterSorts sorts, Side side, int run, ProcessFigures sorted, Optional<NodeLoss> loss)
      throws IOException, InterruptedException {
    Optional<LostNode> lost = loss.isPresent() ? loss.get().lost() : Optional.empty();
    lost.ifPresent(
        node ->
            progress(
                "node%d was lost, with %,d MB of its containers",
                node.index(), node.bytes() / 1_000_000));
    sorts.cluster().endApplications();
    sorts.cluster().repair();
    Optional<String> problem = sorted.problem();
    if (problem.isEmpty()) {
      problem = sorts.validate().problem();
    }
    if (problem.isEmpty() && loss.isPresent() && lost.isEmpty()) {
      problem = Optional.of("has ended before the node was lost");
    }
    SortRun result =
        new SortRun(
            side.name(), run, loss.isPresent(), sorted.cost().wallSeconds(), problem.orElse(""));
    progress("%s", result.describe());
    return result;
  }
}
