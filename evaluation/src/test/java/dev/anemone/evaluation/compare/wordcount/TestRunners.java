// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import dev.anemone.evaluation.lab.peer.InterleavedRuns.RunnerSetup;
import dev.anemone.evaluation.lab.peer.PeerClassPath.Peer;
import java.nio.file.Path;
import java.util.List;

/** The runners that are on the class path of the tests. */
final class TestRunners {
  private static final String CLASS_PATH = System.getProperty("java.class.path");

  private TestRunners() {}

  static RunnerSetup direct() {
    return new RunnerSetup(
        Peer.DIRECT.runner(),
        CLASS_PATH,
        Peer.DIRECT.jvmOptions(Path.of("peers/direct")),
        Peer.DIRECT.pipelineOptions(2));
  }

  /** A runner that is not there, so that the program fails. */
  static RunnerSetup missing() {
    return new RunnerSetup(
        "MissingRunner", CLASS_PATH, List.of(), List.of("--runner=MissingRunner"));
  }
}
