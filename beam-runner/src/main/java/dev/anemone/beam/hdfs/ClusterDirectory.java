// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.hdfs;

import dev.anemone.beam.options.ClusterOptions;
import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.options.OptionCheck;
import dev.anemone.runtime.tez.yarn.HdfsWaits;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * The directory with the configuration of a Hadoop cluster, as its clients have it.
 *
 * @param origin the option or environment variable that names it, for messages
 * @param name the directory, as it is named there
 */
public record ClusterDirectory(String origin, String name) {

  private static final List<String> VARIABLES = List.of("HADOOP_CONF_DIR", "YARN_CONF_DIR");
  private static final List<String> FILE_SYSTEM_FILES = List.of("core-site.xml", "hdfs-site.xml");

  /**
   * The directory that the options name, or else the environment.
   *
   * @param environment the environment variables; of several directories in one, as in a class
   *     path, the first counts
   */
  public static Optional<ClusterDirectory> of(
      ClusterOptions options, Map<String, String> environment) {
    if (options.getHadoopConfDir() != null) {
      return Optional.of(new ClusterDirectory("--hadoopConfDir", options.getHadoopConfDir()));
    }
    return VARIABLES.stream()
        .filter(variable -> !environment.getOrDefault(variable, "").isBlank())
        .findFirst()
        .map(variable -> new ClusterDirectory(variable, first(environment.get(variable))));
  }

  private static String first(String directories) {
    int end = directories.indexOf(File.pathSeparatorChar);
    return end < 0 ? directories : directories.substring(0, end);
  }

  /**
   * The directory, absolute.
   *
   * @throws InvalidPipelineException when there is no such directory
   */
  public Path path() {
    return find()
        .orElseThrow(
            () ->
                new InvalidPipelineException(
                    origin
                        + "="
                        + name
                        + " is no directory on this machine. Name the directory with the cluster's"
                        + " core-site.xml, hdfs-site.xml and yarn-site.xml, often"
                        + " /etc/hadoop/conf."));
  }

  private Optional<Path> find() {
    try {
      return Optional.of(Path.of(name).toAbsolutePath()).filter(Files::isDirectory);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /**
   * What the cluster's file systems need to know; empty when the directory has nothing of it, or
   * does not exist on this machine.
   *
   * @param settings come before those of the files
   * @throws InvalidPipelineException when a file cannot be read
   */
  Optional<Configuration> fileSystems(Map<String, String> settings) {
    List<Path> files =
        find().stream()
            .flatMap(directory -> FILE_SYSTEM_FILES.stream().map(directory::resolve))
            .filter(Files::exists)
            .toList();
    if (files.isEmpty()) {
      return Optional.empty();
    }
    Configuration configuration = new Configuration(false);
    files.forEach(file -> configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri())));
    settings.forEach(configuration::set);
    try {
      HdfsWaits.shorten(configuration);
      String defaultFileSystem = configuration.get(FileSystem.FS_DEFAULT_NAME_KEY, "");
      if (defaultFileSystem.startsWith("file:")) {
        // Beam has a file system of its own for these, and refuses two.
        configuration.unset(FileSystem.FS_DEFAULT_NAME_KEY);
      }
    } catch (RuntimeException e) {
      throw new InvalidPipelineException(
          origin
              + "="
              + name
              + " has a configuration that cannot be read: "
              + e.getMessage()
              + ". Correct the file, or name another directory.",
          e);
    }
    return Optional.of(configuration);
  }

  /** The settings of a cluster that an option gives. */
  public static Map<String, String> settings(ClusterOptions options) {
    return OptionCheck.settings(
        "clusterSettings",
        options.getClusterSettings(),
        "dfs.replication=2,tez.am.log.level=DEBUG");
  }
}
