// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.peer;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A batch runner of Beam's own that runs on one machine, with the options that serve it best. */
public enum Peer {
  SPARK("SparkRunner"),
  FLINK("FlinkRunner"),
  /** Made for tests, not for speed: it starts a bundle for every single key. */
  DIRECT("DirectRunner");

  /** One bundle per input split of Spark's usual size; the default makes one split per core. */
  private static final long SPARK_BUNDLE_BYTES = 32L << 20;

  private final String runner;

  Peer(String runner) {
    this.runner = runner;
  }

  /** Name of the runner, for tables and for Beam. */
  public String runner() {
    return runner;
  }

  /** Name of the folder of the peer's pom, in {@code evaluation/peers}. */
  public String folder() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The options of the pipeline.
   *
   * @param processors that the runner may use
   */
  public List<String> pipelineOptions(int processors) {
    Stream<String> options =
        switch (this) {
          case SPARK ->
              Stream.of(
                  "--sparkMaster=local[" + processors + "]", "--bundleSize=" + SPARK_BUNDLE_BYTES);
          case FLINK ->
              Stream.of(
                  "--flinkMaster=[local]", "--parallelism=" + processors, "--objectReuse=true");
          case DIRECT ->
              Stream.of(
                  "--targetParallelism=" + processors,
                  "--enforceImmutability=false",
                  "--enforceEncodability=false");
        };
    return Stream.concat(Stream.of("--runner=" + runner), options).toList();
  }

  /**
   * Options that the JVM needs to run this peer at all, and to run it without a long log.
   *
   * @param folder with the files of this peer
   */
  public List<String> jvmOptions(Path folder) {
    return switch (this) {
      case SPARK ->
          Stream.concat(
                  Stream.of(
                      "-Dspark.ui.enabled=false",
                      "-Dlog4j2.configurationFile=" + folder.resolve("log4j2.properties")),
                  Stream.of(
                          "java.lang",
                          "java.lang.invoke",
                          "java.net",
                          "java.nio",
                          "java.util",
                          "java.util.concurrent",
                          "sun.nio.ch",
                          "sun.security.action",
                          "sun.util.calendar")
                      .map(Peer::opened))
              .toList();
      case FLINK -> Stream.of("java.lang", "java.util").map(Peer::opened).toList();
      case DIRECT -> List.of();
    };
  }

  private static String opened(String packageName) {
    return "--add-opens=java.base/" + packageName + "=ALL-UNNAMED";
  }
}
