// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import dev.anemone.evaluation.lab.DirectoryTree;
import dev.anemone.evaluation.lab.process.ClassArchive;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.examples.tpch.Tpch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives each side an archive of its classes, as {@code bin/anemone} has one: before anything is
 * measured, every side runs the wanted queries once on little data. Without it, most of what a
 * short query takes is the loading of the same ten thousand classes, whatever the runner.
 */
final class SideTraining {
  private final Path directory;
  private final List<String> queryArguments;
  private final List<String> jvmOptions;
  private final Duration deadline;

  /**
   * @param directory for archives, logs and passing files; must exist
   * @param queryArguments which queries on which data, little of it
   * @param jvmOptions that every run gets, measured or not
   * @param deadline of the training of one side
   */
  SideTraining(
      Path directory, List<String> queryArguments, List<String> jvmOptions, Duration deadline) {
    this.directory = directory;
    this.queryArguments = List.copyOf(queryArguments);
    this.jvmOptions = List.copyOf(jvmOptions);
    this.deadline = deadline;
  }

  /**
   * Trains a side.
   *
   * @return the same side, whose runs use its archive
   * @throws IOException if a file cannot be written, or no JVM can be started
   */
  Side train(Side side) throws IOException, InterruptedException {
    Path work = directory.resolve("training-" + side.name());
    DirectoryTree.delete(work);
    Files.createDirectories(work.resolve("tmp"));
    List<String> options = new ArrayList<>(jvmOptions);
    options.addAll(side.jvmOptions());
    options.add("-Djava.io.tmpdir=" + work.resolve("tmp"));
    List<String> arguments = new ArrayList<>(side.arguments());
    arguments.addAll(queryArguments);
    try {
      ClassArchive archive =
          ClassArchive.train(
              new JavaProgram(Tpch.class.getName(), side.classPath(), options, arguments),
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
