// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import dev.anemone.evaluation.lab.peer.InterleavedRuns.RunnerSetup;
import dev.anemone.evaluation.lab.peer.PeerClassPath.Peer;
import dev.anemone.examples.wordcount.WordCount;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The runners that are on the class path of the tests. */
final class TestRunners {
  private TestRunners() {}

  static RunnerSetup direct() throws Exception {
    return new RunnerSetup(
        Peer.DIRECT.runner(),
        classPathOfPeers(),
        Peer.DIRECT.jvmOptions(Path.of("peers/direct")),
        Peer.DIRECT.pipelineOptions(2));
  }

  /** A runner that is not there, so that the program fails. */
  static RunnerSetup missing() throws Exception {
    return new RunnerSetup(
        "MissingRunner", classPathOfPeers(), List.of(), List.of("--runner=MissingRunner"));
  }

  /** The word count, and of the rest of this project nothing, as users of other runners have it. */
  static String classPathOfPeers() throws Exception {
    Path wordCount =
        Path.of(WordCount.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(entry -> entry.equals(wordCount) || !isOfProject(entry))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static boolean isOfProject(Path entry) {
    return Files.isDirectory(entry)
        ? Files.exists(entry.resolve("dev/anemone"))
        : entry.getFileName().toString().startsWith("anemone-");
  }
}
