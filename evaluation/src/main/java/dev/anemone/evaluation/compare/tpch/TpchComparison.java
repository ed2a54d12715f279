// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.experiment.Runs;
import dev.anemone.evaluation.lab.experiment.TpchOptions;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.evaluation.lab.process.ProcessFigures.ProcessCost;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchQuery;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run tpch}: the same queries by several systems, warm and as processes. */
@Command(name = "tpch")
public final class TpchComparison extends ExperimentCommand {
  private static final String NONE = "none";

  @Option(names = "--queries", paramLabel = "LIST", description = "Which queries, such as 1,3,5-7.")
  private String queries = "all";

  @Option(
      names = "--processes",
      paramLabel = "LIST",
      description = "Which queries are measured as whole processes, too, or none.")
  private String processes = "6";

  @Option(names = "--format", description = "${COMPLETION-CANDIDATES}.")
  private Format format = Format.parquet;

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "PEER",
      description = "${COMPLETION-CANDIDATES}; separated by commas.")
  private List<Peer> peers = List.of(Peer.duckdb);

  @Option(names = "--warm-up", description = "How often each query runs before it is measured.")
  private int warmUp = 1;

  @Mixin private TpchOptions data = new TpchOptions(1);
  @Mixin private Runs runs = new Runs(3);
  @Mixin private ProgramOptions programs = new ProgramOptions("4g", 600);

  private List<TpchQuery> warm;
  private List<TpchQuery> whole;

  /** Of the tables' files; named as on the command line. */
  enum Format {
    parquet,
    text
  }

  /** Whom NemoRunner is compared with; named as on the command line. */
  enum Peer {
    duckdb,
    spark,
    comet,
    none
  }

  /** A query in a warm process. */
  record WarmRun(String side, int query, int round, double seconds) {}

  /** A query as a process of its own. */
  record WholeRun(String side, int query, int round, ProcessCost cost) {}

  record Figures(
      double scale,
      String format,
      List<String> jvmOptions,
      List<WarmRun> warm,
      List<WholeRun> whole) {}

  @Override
  protected void check() {
    warm = TpchOptions.queries(queries);
    whole = processes.equals(NONE) ? List.of() : TpchOptions.queries(processes);
    require("--warm-up", warmUp, warmUp >= 0, "it is a number of times");
  }

  @Override
  protected Path directory() {
    return evaluation().results("tpch-comparison");
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException, SQLException {
    QuerySides setUp =
        new QuerySides(
            evaluation(), directory(), classPath(), tables(), data.scale(), format, programs);
    List<QuerySide> sides = new ArrayList<>(List.of(setUp.nemo()));
    for (Peer peer : peers) {
      switch (peer) {
        case duckdb -> sides.add(setUp.duckDb());
        case spark -> sides.add(setUp.spark());
        case comet -> sides.add(setUp.comet());
        case none -> progress("NemoRunner alone");
      }
    }
    List<String> names = sides.stream().map(QuerySide::name).toList();
    List<WarmRun> warmRuns = warm(sides);
    List<WholeRun> wholeRuns = whole(sides);
    publish(
        new Figures(data.scale(), format.name(), programs.chosenJvmOptions(), warmRuns, wholeRuns),
        text(
            "TPC-H, scale %s, %s; %s; medians of %d, seconds",
            data.scale(), format, String.join(" ", programs.chosenJvmOptions()), runs.count()),
        QueryTables.warm(names, warmRuns),
        wholeRuns.isEmpty() ? "" : QueryTables.whole(names, wholeRuns));
    return true;
  }

  private String classPath() throws IOException {
    return evaluation().ownJar() + File.pathSeparator + evaluation().nemoClassPath();
  }

  private TpchDataSet tables() throws IOException, SQLException {
    return format == Format.text
        ? data.open(evaluation())
        : TpchDataSet.open(ParquetTables.open(data, evaluation()), data.scale());
  }

  private List<WarmRun> warm(List<QuerySide> sides) throws IOException, InterruptedException {
    List<WarmRun> finished = new ArrayList<>();
    List<LineProcess> started = new ArrayList<>();
    try {
      for (QuerySide side : sides) {
        started.add(side.start());
      }
      for (int round = 1 - warmUp; round <= runs.count(); round++) {
        for (int side : QuerySide.inTurn(sides.size(), round + warmUp)) {
          double sum = 0;
          for (TpchQuery query : warm) {
            double seconds = sides.get(side).run(started.get(side), query);
            sum += seconds;
            if (round > 0) {
              finished.add(new WarmRun(sides.get(side).name(), query.number(), round, seconds));
            }
          }
          progress("round %d, %s: %.2f s", round, sides.get(side).name(), sum);
        }
        requireSame(sides, warm);
      }
    } finally {
      started.forEach(LineProcess::close);
    }
    return finished;
  }

  private List<WholeRun> whole(List<QuerySide> sides) throws IOException, InterruptedException {
    List<WholeRun> finished = new ArrayList<>();
    for (TpchQuery query : whole) {
      for (int round = 0; round <= runs.count(); round++) {
        for (int side : QuerySide.inTurn(sides.size(), round)) {
          ProcessCost cost = sides.get(side).once(query).cost();
          String name = sides.get(side).name();
          progress(
              "process %d of query %s, %s: %.2f s", round, query.name(), name, cost.wallSeconds());
          if (round > 0) {
            finished.add(new WholeRun(name, query.number(), round, cost));
          }
        }
        requireSame(sides, List.of(query));
      }
    }
    return finished;
  }

  private static void requireSame(List<QuerySide> sides, List<TpchQuery> queries)
      throws IOException {
    // DuckDB's, where it is there.
    QuerySide judge = sides.get(Math.min(1, sides.size() - 1));
    for (QuerySide side : sides) {
      side.requireAnswersOf(judge, queries);
    }
  }
}
