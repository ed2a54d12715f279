// SPDX-License-Identifier: Apache-2.0
package dev.anemone.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An unpacked distribution and its user, who has a home directory of his own, this JDK, and all
 * programs of this machine but Maven.
 *
 * @param root where {@code bin} and {@code lib} are
 * @param user a directory for the user's home and the output of commands
 * @param environment variables of all commands
 */
record Installation(Path root, Path user, Map<String, String> environment) {
  static final long DEADLINE_SECONDS = 240;

  /** What a command has printed, and its exit code. */
  record Run(List<String> command, int code, String out, String err) {

    Run succeeds() {
      assertThat(code).as("%s says: %s", command, err).isZero();
      return this;
    }

    void saysNothingElse() {
      assertThat(err).isEmpty();
    }
  }

  Installation {
    environment = Map.copyOf(environment);
  }

  /** Unpacks an archive with one directory in it. */
  static Installation unpack(Path archive, Path directory)
      throws IOException, InterruptedException {
    Path place = Files.createDirectory(directory.resolve("unpacked"));
    Process tar =
        new ProcessBuilder("tar", "-xf", archive.toString(), "-C", place.toString())
            .inheritIO()
            .start();
    assertThat(tar.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(tar.exitValue()).isZero();
    try (Stream<Path> roots = Files.list(place)) {
      return of(roots.toList().get(0), directory);
    }
  }

  /** The same jars in an installation at another place, for another user. */
  Installation another(Path directory) throws IOException {
    Path other = Files.createDirectory(directory.resolve("other"));
    Files.createSymbolicLink(other.resolve("lib"), root.resolve("lib"));
    for (String file : List.of("bin/anemone", "conf/log4j.properties")) {
      Files.createDirectory(other.resolve(file).getParent());
      Files.copy(root.resolve(file), other.resolve(file));
    }
    return of(other, directory);
  }

  /** The same for a user who has chosen a cluster. */
  Installation withCluster(String configuration) {
    Map<String, String> chosen = new TreeMap<>(environment);
    chosen.put("HADOOP_CONF_DIR", configuration);
    return new Installation(root, user, chosen);
  }

  private static Installation of(Path root, Path directory) throws IOException {
    Path user = Files.createDirectory(directory.resolve("user"));
    return new Installation(
        root,
        user,
        Map.of(
            "PATH",
            programs(Files.createDirectory(directory.resolve("programs"))).toString(),
            "HOME",
            user.toString(),
            "JAVA_HOME",
            System.getProperty("java.home"),
            "ANEMONE_HEAP",
            "1g",
            "ANEMONE_CLUSTER_DIR",
            user.resolve("cluster").toString()));
  }

  /** Links to what is on the PATH, but for Maven. */
  private static Path programs(Path directory) throws IOException {
    for (String entry : System.getenv("PATH").split(File.pathSeparator, -1)) {
      if (!Files.isDirectory(Path.of(entry))) {
        continue;
      }
      List<Path> files;
      try (Stream<Path> listed = Files.list(Path.of(entry))) {
        files = listed.toList();
      }
      for (Path file : files) {
        Path link = directory.resolve(file.getFileName());
        if (!fileName(file).startsWith("mvn") && Files.notExists(link)) {
          Files.createSymbolicLink(link, file);
        }
      }
    }
    return directory;
  }

  static String fileName(Path file) {
    return file.getFileName().toString();
  }

  /** A command of {@code bin/anemone} that has not started. */
  ProcessBuilder command(String... arguments) {
    List<String> command = new ArrayList<>(List.of(root.resolve("bin/anemone").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(user.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder;
  }

  /** Runs a command to its end. */
  Run run(String... arguments) throws IOException, InterruptedException {
    Path out = user.resolve("out");
    Path err = user.resolve("err");
    ProcessBuilder builder =
        command(arguments).redirectOutput(out.toFile()).redirectError(err.toFile());
    Process process = builder.start();
    boolean ended = process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(ended).as("%s ends; it says: %s", builder.command(), Files.readString(err)).isTrue();
    return new Run(
        builder.command(), process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
