// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beamsql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A Maven project of somebody else, who has installed Anemone. It has one class, {@code Main}.
 *
 * <p>Its Maven has a repository of its own, in which Anemone is; all else it gets from the
 * repository of this build, without a network.
 */
final class ForeignProject {
  private static final long DEADLINE_SECONDS = 300;

  private final Path directory;
  private final String classPath;

  private ForeignProject(Path directory, String classPath) {
    this.directory = directory;
    this.classPath = classPath;
  }

  /**
   * What a process said.
   *
   * @param exit its exit value
   * @param said its output and its errors
   */
  record Run(int exit, String said) {}

  /** Writes the project and has Maven compile it. */
  static ForeignProject compiled(Path directory, String dependencies, String main)
      throws IOException, InterruptedException {
    Files.writeString(directory.resolve("pom.xml"), POM.formatted(dependencies));
    Path settings =
        Files.writeString(
            directory.resolve("settings.xml"),
            SETTINGS.formatted(Path.of(System.getProperty("anemone.foreign.upstream")).toUri()));
    Path source = directory.resolve("src/main/java/Main.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, main);
    Path classPath = directory.resolve("class-path");
    Run maven =
        run(
            directory,
            List.of(
                Path.of(System.getProperty("anemone.foreign.maven"), "bin", "mvn").toString(),
                "--batch-mode",
                // What an earlier build has missed is looked for again.
                "--update-snapshots",
                "--settings=" + settings,
                "-Dmaven.repo.local=" + System.getProperty("anemone.foreign.repository"),
                "-Dmdep.outputFile=" + classPath,
                "compile",
                "dependency:build-classpath"));
    assertThat(maven.exit()).as(maven.said()).isZero();
    return new ForeignProject(directory, Files.readString(classPath));
  }

  /** Runs {@code Main}. */
  Run run(List<String> jvmOptions, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.add("-cp");
    command.add(directory.resolve("target/classes") + File.pathSeparator + classPath);
    command.add("Main");
    command.addAll(List.of(arguments));
    return run(directory, command);
  }

  private static Run run(Path directory, List<String> command)
      throws IOException, InterruptedException {
    Path said = directory.resolve("said");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    // What the Maven of this build was told is not for that one.
    builder.environment().remove("MAVEN_OPTS");
    Process process = builder.start();
    try {
      assertThat(process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS))
          .as("ended in time: %s", command)
          .isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Run(process.exitValue(), Files.readString(said));
  }

  private static final String POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <groupId>com.example</groupId>
        <artifactId>foreign</artifactId>
        <version>1.0</version>
        <properties>
          <maven.compiler.release>17</maven.compiler.release>
          <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
        </properties>
        <dependencies>
      %s
        </dependencies>
        <build>
          <plugins>
            <plugin>
              <artifactId>maven-resources-plugin</artifactId>
              <version>3.3.1</version>
            </plugin>
            <plugin>
              <artifactId>maven-compiler-plugin</artifactId>
              <version>3.14.0</version>
            </plugin>
            <plugin>
              <artifactId>maven-dependency-plugin</artifactId>
              <version>3.8.1</version>
            </plugin>
          </plugins>
        </build>
      </project>
      """;

  private static final String SETTINGS =
      """
      <settings>
        <mirrors>
          <mirror>
            <id>upstream</id>
            <mirrorOf>*</mirrorOf>
            <url>%s</url>
          </mirror>
        </mirrors>
      </settings>
      """;
}
