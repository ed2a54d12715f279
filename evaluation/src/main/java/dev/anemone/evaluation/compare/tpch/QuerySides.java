// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.peer.PeerClassPath;
import dev.anemone.evaluation.lab.peer.PySpark;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.ClassArchive;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.examples.tpch.TpchDataSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The sides of the comparison, each set up as its documentation says.
 *
 * @param directory where each has a directory of its own
 * @param classPath of the programs in Java: jars only, since a JVM keeps the classes of no other
 * @param scale of the data
 */
record QuerySides(
    EvaluationDirectory evaluation,
    Path directory,
    String classPath,
    TpchDataSet data,
    double scale,
    TpchComparison.Format format,
    ProgramOptions programs) {
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  /** NemoRunner; its JVMs map their classes from an archive, as those of bin/anemone do. */
  QuerySide nemo() throws IOException, InterruptedException {
    Path home = home("nemo");
    JavaProgram program =
        JavaProgram.of(
            NemoQueries.class,
            classPath,
            programs.jvmOptions(),
            home,
            "--runner=NemoRunner",
            "--progress=off",
            "--tables=NDP",
            "--query=all",
            "--scale=" + scale,
            "--data=" + data.directory(),
            programs.nemoOptions());
    ClassArchive archive =
        ClassArchive.train(
            new JavaProgram(
                program.mainClass(),
                program.classPath(),
                program.jvmOptions(),
                Arguments.of(program.arguments(), "1", "6", "21")),
            home.resolve("classes.jsa"),
            home,
            home.resolve("training.log"),
            programs.deadline());
    List<String> options = archive.jvmOptions();
    return side(
        "NemoRunner", home, program.withJvmOptions(options.toArray(String[]::new)).command());
  }

  /** DuckDB in a JVM, with its own defaults: all processors, and four fifths of the memory. */
  QuerySide duckDb() throws IOException {
    Path home = home("duckdb");
    return side(
        "DuckDB",
        home,
        JavaProgram.of(
                DuckDbQueries.class, classPath, programs.chosenJvmOptions(), home, data.directory())
            .command());
  }

  /** Spark SQL of PyPI in one JVM. */
  QuerySide spark() throws IOException, InterruptedException {
    return spark("Spark", home("spark"), Map.of());
  }

  /** Spark with the settings that Comet's guide has, half of its memory off the heap. */
  QuerySide comet() throws IOException, InterruptedException {
    String jar = PeerClassPath.of(evaluation).of("comet");
    Map<String, String> settings = new TreeMap<>();
    settings.put("spark.jars", jar);
    settings.put("spark.driver.extraClassPath", jar);
    settings.put("spark.plugins", "org.apache.spark.CometPlugin");
    settings.put(
        "spark.shuffle.manager",
        "org.apache.spark.sql.comet.execution.shuffle.CometShuffleManager");
    for (String part : List.of("enabled", "exec.enabled", "exec.shuffle.enabled")) {
      settings.put("spark.comet." + part, "true");
    }
    settings.put("spark.memory.offHeap.enabled", "true");
    settings.put("spark.memory.offHeap.size", programs.heap());
    return spark("Comet", home("comet"), settings);
  }

  private QuerySide spark(String name, Path home, Map<String, String> more)
      throws IOException, InterruptedException {
    Map<String, String> settings = new TreeMap<>(more);
    settings.put("spark.master", "local[" + PROCESSORS + "]");
    settings.put("spark.driver.memory", programs.heap());
    settings.put("spark.sql.shuffle.partitions", Integer.toString(2 * PROCESSORS));
    settings.put("spark.ui.enabled", "false");
    settings.put("spark.local.dir", home.toString());
    settings.put("spark.sql.warehouse.dir", home.resolve("warehouse").toString());
    return side(
        name,
        home,
        SparkQueries.command(
            evaluation,
            PySpark.of(evaluation),
            List.of("env", "JAVA_HOME=" + System.getProperty("java.home")),
            home,
            data.directory(),
            format,
            settings));
  }

  private QuerySide side(String name, Path home, List<String> command) {
    return new QuerySide(name, command, home, programs.deadline());
  }

  private Path home(String side) throws IOException {
    return Files.createDirectories(directory.resolve(side));
  }
}
