// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import dev.anemone.cli.Anemone;
import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.cluster.SharedCluster;
import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.peer.PySpark;
import dev.anemone.evaluation.lab.peer.SparkProgram;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Programs that generate, sort and validate records in HDFS, each a process of its own.
 *
 * @param directory for logs
 * @param work for what programs write to this machine's disk
 */
record ClusterSorts(
    EvaluationDirectory evaluation,
    SharedCluster cluster,
    Path directory,
    Path work,
    ProgramOptions programs) {
  private static final String INPUT = "/tera/input";
  private static final String FIRST_INPUT = "/tera/first";
  private static final String OUTPUT = "/tera/sorted";
  private static final long FIRST_RECORDS = 10_000;

  /** Who sorts: a command without input and output, and how it is given these. */
  record Side(String name, List<String> command, List<String> files) {}

  /** Fails if it does not succeed; a few records for first runs are generated, too. */
  void generate(long records) throws IOException, InterruptedException {
    generate("teragen-first", FIRST_RECORDS, FIRST_INPUT);
    generate("teragen", records, INPUT);
  }

  private void generate(String run, long records, String place)
      throws IOException, InterruptedException {
    run(run, anemone("teragen", List.of("--records=" + records, "--output=" + address(place))))
        .requireSuccess("teragen");
  }

  Side nemo(String policy) throws IOException {
    return new Side(
        "NemoRunner, " + policy,
        anemone(
            "terasort",
            Arguments.of(
                cluster.nemoOptions(),
                "--optimizationPolicy=" + policy,
                "--tempDirectory=" + Files.createDirectories(work.resolve("nemo")),
                programs.nemoOptions())),
        List.of("--input=", "--output="));
  }

  Side spark() throws IOException, InterruptedException {
    PySpark spark = PySpark.of(evaluation);
    Path temporary = Files.createDirectories(work.resolve("spark"));
    Map<String, String> settings = cluster.sparkSettings(spark, programs.heap(), temporary);
    settings.putIfAbsent("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
    return new Side(
        SortRun.PEER,
        SparkProgram.compile(evaluation, spark, "SparkTeraSort", temporary)
            .command(cluster.sparkCommand(), settings),
        List.of("", ""));
  }

  /** Lets a side sort a few records, so that the cluster has its jars. */
  void sortFirst(Side side) throws IOException, InterruptedException {
    sort(side, "first", FIRST_INPUT).requireSuccess("The first run of " + side.name());
    cluster.endApplications();
  }

  /** Lets a side sort all records, in place of what was sorted before. */
  ProcessFigures sort(Side side, String run) throws IOException, InterruptedException {
    return sort(side, run, INPUT);
  }

  private ProcessFigures sort(Side side, String run, String input)
      throws IOException, InterruptedException {
    cluster.delete(OUTPUT);
    return run(
        (side.name() + "-" + run).replaceAll("[^A-Za-z0-9]+", "-"),
        Arguments.of(
            side.command(),
            side.files().get(0) + address(input),
            side.files().get(1) + address(OUTPUT)));
  }

  ProcessFigures validate() throws IOException, InterruptedException {
    return run(
        "teravalidate",
        anemone(
            "teravalidate", List.of("--input=" + address(INPUT), "--output=" + address(OUTPUT))));
  }

  private String address(String place) {
    return cluster.address(place);
  }

  private List<String> anemone(String command, List<String> arguments) throws IOException {
    return Arguments.of(
        cluster.environment(),
        JavaProgram.of(
                Anemone.class,
                evaluation.nemoClassPath(),
                programs.jvmOptions(),
                command,
                arguments)
            .command());
  }

  private ProcessFigures run(String name, List<String> command)
      throws IOException, InterruptedException {
    return MeasuredProcess.run(
        command, work, directory.resolve(name + ".log"), programs.deadline());
  }
}
