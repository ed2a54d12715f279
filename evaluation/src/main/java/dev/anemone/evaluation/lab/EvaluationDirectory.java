// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The absolute path of the directory of this module, where experiments have their files. */
public record EvaluationDirectory(Path path) {
  public static final String PROPERTY = "anemone.evaluation";

  /** The directory that {@code evaluation/run} has named; fails if it has not. */
  public static EvaluationDirectory ofLauncher() {
    String path = System.getProperty(PROPERTY);
    if (path == null) {
      throw new ExperimentFailure(
          "The system property %s is not set, so the build's files cannot be found. Start"
              + " experiments with evaluation/run, which sets it.",
          PROPERTY);
    }
    return new EvaluationDirectory(Path.of(path).toAbsolutePath());
  }

  /** Where an experiment puts what it generates and what it finds; need not exist yet. */
  public Path results(String experiment) {
    return path.resolve("target").resolve(experiment);
  }

  /** The class path of a program that runs the examples on NemoRunner. */
  public String nemoClassPath() throws IOException {
    return Files.readString(path.resolve("target/runtime.classpath")).strip();
  }

  /** The jar of this module, which the launcher has made. */
  public Path ownJar() throws IOException {
    try (DirectoryStream<Path> jars =
        Files.newDirectoryStream(path.resolve("target"), "anemone-evaluation-*SNAPSHOT.jar")) {
      return jars.iterator().next();
    }
  }

  /** The class path of the programs of this module that experiments start. */
  public String ownClassPath() throws IOException {
    return path.resolve("target/classes") + File.pathSeparator + nemoClassPath();
  }
}
