// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;

/**
 * A cluster in a process of its own, as it is written down.
 *
 * @param pid of the process with the daemons
 * @param started when that process started: another one may get its id later
 * @param nodes number of nodes
 * @param memoryMb memory in MB that containers may use on a node
 * @param cores virtual cores that containers may use on a node
 * @param directory where its data is
 * @param access how to use it; empty while it starts
 */
record ClusterRecord(
    long pid,
    Instant started,
    int nodes,
    int memoryMb,
    int cores,
    Path directory,
    Optional<Access> access) {

  /** Clocks are set, and an operating system counts from when it was started. */
  private static final Duration TOLERANCE = Duration.ofSeconds(5);

  /**
   * How to use a cluster.
   *
   * @param configuration its configuration directory
   * @param applications the ResourceManager's web page
   * @param files the NameNode's web page
   */
  record Access(Path configuration, URI applications, URI files) {
    Access {
      Objects.requireNonNull(configuration, "configuration");
      Objects.requireNonNull(applications, "applications");
      Objects.requireNonNull(files, "files");
    }
  }

  ClusterRecord {
    Objects.requireNonNull(started, "started");
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(access, "access");
  }

  /** A cluster that the current process starts. */
  static ClusterRecord starting(LocalCluster.Settings settings) {
    ProcessHandle process = ProcessHandle.current();
    return new ClusterRecord(
        process.pid(),
        process.info().startInstant().orElseGet(Instant::now),
        settings.nodes(),
        settings.memoryMb(),
        settings.cores(),
        settings.directory(),
        Optional.empty());
  }

  /** The same, when it serves. */
  ClusterRecord serving(LocalCluster cluster) {
    return new ClusterRecord(
        pid,
        started,
        nodes,
        memoryMb,
        cores,
        directory,
        Optional.of(
            new Access(
                cluster.configurationDirectory(),
                cluster.applicationsPage(),
                cluster.filesPage())));
  }

  /** Reads what {@link #properties} gave. */
  static ClusterRecord of(Properties properties) {
    return new ClusterRecord(
        Long.parseLong(properties.getProperty("pid")),
        Instant.parse(properties.getProperty("started")),
        Integer.parseInt(properties.getProperty("nodes")),
        Integer.parseInt(properties.getProperty("memoryMb")),
        Integer.parseInt(properties.getProperty("cores")),
        Path.of(properties.getProperty("directory")),
        Optional.ofNullable(properties.getProperty("configuration"))
            .map(
                configuration ->
                    new Access(
                        Path.of(configuration),
                        URI.create(properties.getProperty("applications")),
                        URI.create(properties.getProperty("files")))));
  }

  /** The cluster as properties. */
  Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("pid", Long.toString(pid));
    properties.setProperty("started", started.toString());
    properties.setProperty("nodes", Integer.toString(nodes));
    properties.setProperty("memoryMb", Integer.toString(memoryMb));
    properties.setProperty("cores", Integer.toString(cores));
    properties.setProperty("directory", directory.toString());
    access.ifPresent(
        known -> {
          properties.setProperty("configuration", known.configuration().toString());
          properties.setProperty("applications", known.applications().toString());
          properties.setProperty("files", known.files().toString());
        });
    return properties;
  }

  /** The process with the daemons; empty when it has ended. */
  Optional<ProcessHandle> process() {
    return ProcessHandle.of(pid).filter(Liveness::runs).filter(this::startedThen);
  }

  private boolean startedThen(ProcessHandle process) {
    return process
        .info()
        .startInstant()
        .filter(start -> Duration.between(start, started).abs().compareTo(TOLERANCE) <= 0)
        .isPresent();
  }
}
