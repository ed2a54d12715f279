// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.portable;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.peer.PeerClassPath;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.apache.beam.sdk.util.ReleaseInfo;

/** A server of Beam's own that takes pipelines of Python and runs them on this machine. */
enum PortablePeer {
  /** Go's; the one that Beam's Python has in place of its former runner. */
  PRISM("Prism"),
  FLINK("FlinkRunner"),
  SPARK("SparkRunner");

  private static final Duration BUILD_DEADLINE = Duration.ofMinutes(20);
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  private final String side;

  PortablePeer(String side) {
    this.side = side;
  }

  /** What tables call it. */
  String side() {
    return side;
  }

  String option() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The command that starts it, as its documentation says.
   *
   * @param heap of its JVM, if it has one, as {@code -Xmx} takes it
   * @param home where it keeps its files
   * @throws ExperimentFailure when it cannot be had; says why
   */
  List<String> command(EvaluationDirectory evaluation, String heap, Path home, int port)
      throws IOException, InterruptedException {
    return switch (this) {
      case PRISM -> List.of(prism(evaluation).toString(), "--job_port=" + port, "--serve_http=0");
      case FLINK ->
          jobServer(
              evaluation,
              Arguments.of("-Xmx" + heap, PeerClassPath.Peer.FLINK.jvmOptions(home)),
              "org.apache.beam.runners.flink.FlinkJobServerDriver",
              List.of("--flink-master=[local]"),
              home,
              port);
      case SPARK ->
          jobServer(
              evaluation,
              Arguments.of(
                  "-Xmx" + heap,
                  PeerClassPath.Peer.SPARK.jvmOptions(evaluation.path().resolve("peers/spark"))),
              "org.apache.beam.runners.spark.SparkJobServerDriver",
              List.of("--spark-master-url=local[" + PROCESSORS + "]"),
              home,
              port);
    };
  }

  private List<String> jobServer(
      EvaluationDirectory evaluation,
      List<String> jvmOptions,
      String mainClass,
      List<String> options,
      Path home,
      int port)
      throws IOException, InterruptedException {
    return Arguments.of(
        Path.of(System.getProperty("java.home"), "bin", "java"),
        jvmOptions,
        "-Djava.io.tmpdir=" + home,
        "-cp",
        PeerClassPath.of(evaluation).of("portable-" + option()),
        mainClass,
        options,
        "--job-port=" + port,
        "--artifact-port=0",
        "--expansion-port=0",
        "--artifacts-dir=" + home.resolve("artifacts"));
  }

  /** What pipelines for it are told beside what those of all are. */
  List<String> pipelineOptions() {
    return switch (this) {
      case PRISM, SPARK -> List.of();
      case FLINK -> List.of("--parallelism=" + PROCESSORS, "--object_reuse");
    };
  }

  /** The program, which Go builds of the module that the project's own example needs. */
  private static Path prism(EvaluationDirectory evaluation)
      throws IOException, InterruptedException {
    Path peers = Files.createDirectories(evaluation.results("peers"));
    Path program = peers.resolve("prism-" + ReleaseInfo.getReleaseInfo().getVersion());
    if (!Files.exists(program)) {
      try {
        MeasuredProcess.run(
                List.of(
                    "go",
                    "build",
                    "-o",
                    program.toString(),
                    "github.com/apache/beam/sdks/v2/go/cmd/prism"),
                evaluation.path().resolveSibling("go"),
                peers.resolve("prism.log"),
                BUILD_DEADLINE)
            .requireSuccess("Building Prism");
      } catch (IOException e) {
        throw new ExperimentFailure(e, "Prism is built by Go, which is not here: %s", e);
      }
    }
    return program;
  }
}
