// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.peer;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.SystemCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program of Spark in Java, from {@code evaluation/peers}.
 *
 * @param mainClass in no package
 * @param jar of its classes
 */
public record SparkProgram(PySpark spark, String mainClass, Path jar) {
  private static final Duration COMPILATION_LIMIT = Duration.ofMinutes(3);

  /** Compiles one, with the JDK that runs this, into a directory. */
  public static SparkProgram compile(
      EvaluationDirectory evaluation, PySpark spark, String mainClass, Path directory)
      throws IOException, InterruptedException {
    Path source = evaluation.path().resolve("peers").resolve(mainClass + ".java");
    Path classes = Files.createDirectories(directory.resolve("classes"));
    Path jar = directory.resolve(mainClass + ".jar");
    SystemCommand.run(
        directory,
        COMPILATION_LIMIT,
        Arguments.of(tool("javac"), "-nowarn", "-d", classes, "-cp", spark.jars() + "/*", source));
    SystemCommand.run(
        directory,
        COMPILATION_LIMIT,
        Arguments.of(tool("jar"), "--create", "--file", jar, "-C", classes, "."));
    return new SparkProgram(spark, mainClass, jar);
  }

  private static Path tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name);
  }

  /** The command that runs it, behind one that begins with the environment. */
  public List<String> command(
      List<String> environment, Map<String, String> settings, String... arguments) {
    List<String> options = new ArrayList<>();
    settings.forEach((name, value) -> options.addAll(List.of("--conf", name + "=" + value)));
    return Arguments.of(
        environment,
        "SPARK_HOME=" + spark.home(),
        spark.submit(),
        options,
        "--class",
        mainClass,
        jar,
        List.of(arguments));
  }
}
