// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import dev.anemone.evaluation.compare.tpch.TpchComparison.WarmRun;
import dev.anemone.evaluation.lab.cluster.ExecutorOptions;
import dev.anemone.evaluation.lab.cluster.ExecutorOptions.Executors;
import dev.anemone.evaluation.lab.cluster.SharedCluster;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.experiment.Runs;
import dev.anemone.evaluation.lab.experiment.TpchOptions;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.examples.tpch.TpchQuery;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run cluster-tpch}: the same queries, on the same YARN and HDFS as Spark. */
@Command(name = "cluster-tpch")
public final class ClusterTpch extends ExperimentCommand {
  private static final double GOAL = 0.5;
  private static final Duration END_LIMIT = Duration.ofMinutes(1);

  @Option(names = "--queries", paramLabel = "LIST", description = "Which queries, such as 1,3,5-7.")
  private String queries = "all";

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "PEER",
      description = "${COMPLETION-CANDIDATES}.")
  private List<Peer> peers = List.of(Peer.spark);

  @Option(
      names = "--warm-up",
      description = "How often an application runs all queries before they are measured.")
  private int warmUp = 1;

  @Mixin private TpchOptions data = new TpchOptions(10);
  @Mixin private Runs runs = new Runs(1);
  @Mixin private ExecutorOptions executors = new ExecutorOptions();
  @Mixin private ProgramOptions programs = new ProgramOptions("2g", 900);

  private List<TpchQuery> chosen;

  /** Whom NemoRunner is compared with; named as on the command line. */
  enum Peer {
    spark,
    none
  }

  record Figures(
      double scale, Executors executors, List<String> jvmOptions, List<WarmRun> queries) {}

  @Override
  protected void check() {
    chosen = TpchOptions.queries(queries);
    require("--warm-up", warmUp, warmUp >= 0, "it is a number of times");
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException, SQLException {
    Path tables = ParquetTables.open(data, evaluation());
    Path work = directory().resolve("work");
    FileTrees.delete(work);
    Files.createDirectories(work);
    List<WarmRun> finished = new ArrayList<>();
    List<String> names = new ArrayList<>();
    try {
      ClusterQuerySides setUp =
          new ClusterQuerySides(evaluation(), directory(), tables, data.scale(), programs);
      setUp.requireRoom(work);
      QuerySide judge = setUp.judge();
      answer(judge, 0);
      try (SharedCluster cluster =
          SharedCluster.start(work.resolve("cluster"), executors, Map.of())) {
        List<QuerySide> sides = setUp.sides(cluster, work, peers.contains(Peer.spark));
        sides.forEach(side -> names.add(side.name()));
        for (int run = 1; run <= runs.count(); run++) {
          for (int side : QuerySide.inTurn(sides.size(), run - 1)) {
            finished.addAll(answer(sides.get(side), run));
            cluster.endApplications();
            sides.get(side).requireAnswersOf(judge, chosen);
          }
        }
      }
    } finally {
      FileTrees.delete(work);
    }
    publish(
        new Figures(data.scale(), executors.executors(), programs.chosenJvmOptions(), finished),
        text(
            "TPC-H, scale %s, Parquet in HDFS, on YARN; %s; medians of %d, seconds",
            data.scale(), executors.executors(), runs.count()),
        QueryTables.warm(names, finished),
        peers.contains(Peer.spark) ? goal(names, finished) : "");
    return true;
  }

  /** Runs the queries in one program, and so in one application, until all have been measured. */
  private List<WarmRun> answer(QuerySide side, int run) throws IOException, InterruptedException {
    List<WarmRun> measured = new ArrayList<>();
    int unmeasured = run == 0 ? 0 : warmUp;
    try (LineProcess process = side.start()) {
      for (int round = 0; round <= unmeasured; round++) {
        double sum = 0;
        for (TpchQuery query : chosen) {
          double seconds = side.run(process, query);
          sum += seconds;
          if (round == unmeasured) {
            measured.add(new WarmRun(side.name(), query.number(), run, seconds));
          }
        }
        progress("run %d, round %d, %s: %.2f s", run, round, side.name(), sum);
      }
      process.end(END_LIMIT);
    }
    return measured;
  }

  private static String goal(List<String> names, List<WarmRun> runs) {
    double ratio = QueryTables.sum(runs, names.get(0)) / QueryTables.sum(runs, names.get(1));
    return text("The goal is at most %.2f of %s's time; it is %.2f.", GOAL, names.get(1), ratio);
  }
}
