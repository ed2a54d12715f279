// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.cluster.SharedCluster;
import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.hdfs.MiniHdfs;
import dev.anemone.evaluation.lab.peer.PySpark;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.examples.tpch.TpchTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The sides of a comparison on a cluster. Each program stays up with its application.
 *
 * @param directory where each has a directory of its own
 * @param tables of Parquet, on this machine
 * @param scale of the data
 */
record ClusterQuerySides(
    EvaluationDirectory evaluation,
    Path directory,
    Path tables,
    double scale,
    ProgramOptions programs) {
  private static final String DATA = "/tpch";

  /** A block has two replicas; and what is shuffled and spilled is less than the tables. */
  private static final int COPIES = 3;

  /** Partitions of Spark's shuffles for each core; it puts small ones together. */
  private static final int PARTITIONS_PER_CORE = 4;

  /** Fails if the disk has no room for the tables in HDFS, and for what is shuffled. */
  void requireRoom(Path work) throws IOException {
    long bytes = 0;
    for (TpchTable table : TpchTable.values()) {
      bytes += Files.size(file(table));
    }
    SharedCluster.requireRoom(work, COPIES * bytes, "The data of --scale=" + scale);
  }

  /** DuckDB in a program of its own, on the files of this machine: its answers are right. */
  QuerySide judge() throws IOException {
    Path home = home("duckdb");
    return side(
        "DuckDB",
        home,
        JavaProgram.of(
                DuckDbQueries.class,
                evaluation.ownClassPath(),
                programs.chosenJvmOptions(),
                home,
                tables)
            .command());
  }

  /** NemoRunner and, if asked for, Spark; puts the tables into HDFS. */
  List<QuerySide> sides(SharedCluster cluster, Path work, boolean withSpark)
      throws IOException, InterruptedException {
    for (TpchTable table : TpchTable.values()) {
      MiniHdfs.copy(file(table), cluster.files(), DATA + "/" + table.tableName() + ".parquet");
    }
    List<QuerySide> sides = new ArrayList<>(List.of(nemo(cluster, work)));
    if (withSpark) {
      sides.add(spark(cluster, work));
    }
    return sides;
  }

  private QuerySide nemo(SharedCluster cluster, Path work) throws IOException {
    Path home = home("nemo");
    return side(
        "NemoRunner",
        home,
        JavaProgram.of(
                NemoQueries.class,
                evaluation.ownClassPath(),
                programs.jvmOptions(),
                home,
                cluster.nemoOptions(),
                "--tables=NDP",
                "--query=all",
                "--scale=" + scale,
                "--data=" + cluster.address(DATA),
                "--tempLocation=" + cluster.address("/tmp/rows"),
                "--tempDirectory=" + Files.createDirectories(work.resolve("nemo")),
                programs.nemoOptions())
            .command());
  }

  private QuerySide spark(SharedCluster cluster, Path work)
      throws IOException, InterruptedException {
    Path home = home("spark");
    PySpark spark = PySpark.of(evaluation);
    Path temporary = Files.createDirectories(work.resolve("spark"));
    Map<String, String> settings = cluster.sparkSettings(spark, programs.heap(), temporary);
    int cores = cluster.options().executors().count() * cluster.options().executors().cores();
    settings.putIfAbsent(
        "spark.sql.shuffle.partitions", Integer.toString(PARTITIONS_PER_CORE * cores));
    settings.put("spark.sql.warehouse.dir", temporary.resolve("warehouse").toString());
    return side(
        "Spark",
        home,
        SparkQueries.command(
            evaluation,
            spark,
            cluster.sparkCommand(),
            home,
            cluster.address(DATA),
            TpchComparison.Format.parquet,
            settings));
  }

  private Path file(TpchTable table) {
    return tables.resolve(table.tableName() + ".parquet");
  }

  private QuerySide side(String name, Path home, List<String> command) {
    return new QuerySide(name, command, home, programs.deadline());
  }

  private Path home(String side) throws IOException {
    return Files.createDirectories(directory.resolve(side));
  }
}
