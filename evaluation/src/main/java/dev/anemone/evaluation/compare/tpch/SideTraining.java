// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import dev.anemone.evaluation.lab.DirectoryTree;
import dev.anemone.evaluation.lab.peer.RunnerSetup;
import dev.anemone.evaluation.lab.process.ClassArchive;
import dev.anemone.examples.tpch.Tpch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Gives each side an archive of its classes, as {@code bin/anemone} has one: before anything is
 * measured, every side runs the wanted queries once on little data. Without it, most of what a
 * short query takes is the loading of the same ten thousand classes, whatever the runner.
 *
 * @param directory for archives, logs and passing files; must exist
 * @param queryArguments which queries on which data, little of it
 * @param jvmOptions that every run gets, measured or not
 * @param deadline of the training of one side
 */
record SideTraining(
    Path directory, List<String> queryArguments, List<String> jvmOptions, Duration deadline) {
  /**
   * Trains a side.
   *
   * @return the same side, whose runs use its archive
   * @throws IOException if a file cannot be written, or no JVM can be started
   */
  RunnerSetup train(RunnerSetup side) throws IOException, InterruptedException {
    Path work = directory.resolve("training-" + side.name());
    DirectoryTree.delete(work);
    Path temporary = Files.createDirectories(work.resolve("tmp"));
    try {
      ClassArchive archive =
          ClassArchive.train(
              side.program(Tpch.class, jvmOptions, queryArguments)
                  .withJvmOptions("-Djava.io.tmpdir=" + temporary),
              directory.resolve(side.name() + ".jsa"),
              work,
              directory.resolve(work.getFileName() + ".log"),
              deadline);
      return side.withJvmOptions(archive.jvmOptions());
    } finally {
      DirectoryTree.delete(work);
    }
  }
}
