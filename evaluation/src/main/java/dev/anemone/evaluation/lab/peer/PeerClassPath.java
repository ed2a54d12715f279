// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.peer;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.ExperimentFailure;
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
import org.apache.beam.sdk.util.ReleaseInfo;

/**
 * Finds the jars of a peer with Maven, which downloads what is missing. They are no dependencies of
 * the build, which would make every build download them.
 *
 * @param poms directory with a folder and a pom for each peer
 * @param resolved where class paths are kept; made if missing
 * @param beamVersion that the peers are to have
 */
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

  /**
   * The class path of a peer, without the program.
   *
   * @param folder of its pom
   * @throws ExperimentFailure if Maven fails; says where its log is
   * @throws IOException if a file cannot be read or written, or there is no Maven
   */
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
}
