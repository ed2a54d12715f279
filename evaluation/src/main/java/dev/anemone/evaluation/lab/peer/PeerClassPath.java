// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.peer;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.beam.sdk.util.ReleaseInfo;

/** Finds a peer's jars with Maven: as dependencies, every build would download them. */
public record PeerClassPath(Path poms, Path resolved, String beamVersion) {
  private static final Duration DOWNLOAD_DEADLINE = Duration.ofMinutes(30);
  private static final int LOG_LINES = 25;

  /** The class paths of peers of this project's Beam. */
  public static PeerClassPath of(EvaluationDirectory evaluation) {
    return new PeerClassPath(
        evaluation.path().resolve("peers"),
        evaluation.results("peers"),
        ReleaseInfo.getReleaseInfo().getVersion());
  }

  /** The class path of a peer, without the program; says where the log is if Maven fails. */
  public String of(String folder) throws IOException, InterruptedException {
    Files.createDirectories(resolved);
    Path pom = poms.resolve(folder).resolve("pom.xml");
    Path file = resolved.resolve(folder + "-" + beamVersion + ".classpath");
    if (!isCurrent(file, pom)) {
      resolve(folder, pom, file);
    }
    return Files.readString(file).strip();
  }

  private static boolean isCurrent(Path file, Path pom) throws IOException {
    return Files.exists(file)
        && Files.getLastModifiedTime(file).compareTo(Files.getLastModifiedTime(pom)) >= 0
        && Arrays.stream(Files.readString(file).strip().split(File.pathSeparator))
            .allMatch(jar -> Files.exists(Path.of(jar)));
  }

  private void resolve(String folder, Path pom, Path file)
      throws IOException, InterruptedException {
    Path unfinished = resolved.resolve(folder + ".unfinished");
    Path log = resolved.resolve(folder + ".log");
    List<String> command =
        List.of(
            "mvn",
            "--batch-mode",
            "--no-transfer-progress",
            "--file",
            pom.toString(),
            "-Dbeam.version=" + beamVersion,
            "-DincludeScope=runtime",
            "-Dmdep.outputFile=" + unfinished,
            "dependency:build-classpath");
    ProcessFigures maven = MeasuredProcess.run(command, resolved, log, DOWNLOAD_DEADLINE);
    if (!maven.succeeded()) {
      throw new ExperimentFailure(
          "Maven could not find the jars of the peer %s of Beam %s, which %s asks for. The end of"
              + " its log, %s:%n%s%nGive --peers without %s to compare without it.",
          folder, beamVersion, pom, log, MeasuredProcess.lastMessages(log, LOG_LINES), folder);
    }
    Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
  }

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

    public List<String> pipelineOptions(int processors) {
      List<String> options =
          switch (this) {
            case SPARK ->
                List.of(
                    "--sparkMaster=local[" + processors + "]",
                    "--bundleSize=" + SPARK_BUNDLE_BYTES);
            case FLINK ->
                List.of(
                    "--flinkMaster=[local]", "--parallelism=" + processors, "--objectReuse=true");
            case DIRECT ->
                List.of(
                    "--targetParallelism=" + processors,
                    "--enforceImmutability=false",
                    "--enforceEncodability=false");
          };
      return Arguments.of("--runner=" + runner, options);
    }

    /** Options that the JVM needs to run this peer at all, and to run it without a long log. */
    public List<String> jvmOptions(Path folder) {
      return switch (this) {
        case SPARK ->
            Arguments.of(
                "-Dspark.ui.enabled=false",
                "-Dlog4j2.configurationFile=" + folder.resolve("log4j2.properties"),
                opened("java.lang java.lang.invoke java.net java.nio java.util"),
                opened("java.util.concurrent sun.nio.ch sun.security.action sun.util.calendar"));
        case FLINK -> opened("java.lang java.util");
        case DIRECT -> List.of();
      };
    }

    private static List<String> opened(String packages) {
      return Arrays.stream(packages.split(" ", -1))
          .map(each -> "--add-opens=java.base/" + each + "=ALL-UNNAMED")
          .toList();
    }
  }
}
