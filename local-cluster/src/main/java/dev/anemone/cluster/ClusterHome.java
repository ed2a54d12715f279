// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/** The directory in which a user's cluster is written down: what it is, its log, and its data. */
final class ClusterHome {
  private static final String VARIABLE = "ANEMONE_CLUSTER_DIR";

  /** With a log's older part. */
  private static final String OWN_FILES =
      "{cluster.properties,cluster.unfinished,daemon.log,daemon.log.1,daemon.out,lock}";

  private final Path directory;

  /** A directory that need not exist. */
  ClusterHome(Path directory) {
    this.directory = directory.toAbsolutePath().normalize();
  }

  /** {@code $ANEMONE_CLUSTER_DIR}, or {@code .anemone/cluster} of the user. */
  static ClusterHome ofUser(Map<String, String> environment) {
    String named = environment.getOrDefault(VARIABLE, "");
    return new ClusterHome(
        named.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".anemone", "cluster")
            : Path.of(named));
  }

  /** The directory itself. */
  Path directory() {
    return directory;
  }

  /** Where a cluster has its files unless said otherwise. */
  Path data() {
    return directory.resolve("data");
  }

  /** The daemons' temporary files, as what their web servers unpack and never delete. */
  Path temporary() {
    return directory.resolve("tmp");
  }

  /** What the daemons log. */
  Path log() {
    return directory.resolve("daemon.log");
  }

  /** What the daemons print, which is little. */
  Path output() {
    return directory.resolve("daemon.out");
  }

  /**
   * Makes the directory the calling process's own, until that ends.
   *
   * @return empty when another process has it
   */
  Optional<FileLock> lock() throws IOException {
    Files.createDirectories(directory);
    FileChannel channel =
        FileChannel.open(
            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = channel.tryLock();
    if (lock == null) {
      channel.close();
    }
    return Optional.ofNullable(lock);
  }

  /** The cluster that was written down last and not cleared, whether it lives or not. */
  Optional<ClusterRecord> read() throws IOException {
    if (!Files.exists(record())) {
      return Optional.empty();
    }
    Properties properties = new Properties();
    try (BufferedReader in = Files.newBufferedReader(record())) {
      properties.load(in);
    }
    return Optional.of(ClusterRecord.of(properties));
  }

  /** Writes a cluster down; a reader sees all of it or nothing. */
  void write(ClusterRecord cluster) throws IOException {
    Path unfinished = directory.resolve("cluster.unfinished");
    try (Writer out = Files.newBufferedWriter(unfinished)) {
      cluster.properties().store(out, null);
    }
    Files.move(
        unfinished, record(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Forgets the cluster, with its log and its temporary files. Files that are not a cluster's stay.
   */
  void clear() throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    Directories.delete(temporary());
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, OWN_FILES)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
    try (Stream<Path> others = Files.list(directory)) {
      if (others.findAny().isPresent()) {
        return;
      }
    }
    Files.delete(directory);
  }

  private Path record() {
    return directory.resolve("cluster.properties");
  }
}
