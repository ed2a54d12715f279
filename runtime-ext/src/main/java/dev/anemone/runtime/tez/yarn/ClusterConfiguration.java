// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Reads how a cluster is set up from a directory like Hadoop's {@code HADOOP_CONF_DIR}. */
public final class ClusterConfiguration {

  /** HDFS's client has its defaults in its code. */
  private static final List<String> DEFAULTS = List.of("core-default.xml", "yarn-default.xml");

  private static final String CORE_SITE = "core-site.xml";
  private static final String YARN_SITE = "yarn-site.xml";
  private static final List<String> SITES =
      List.of(CORE_SITE, "hdfs-site.xml", YARN_SITE, "mapred-site.xml", "tez-site.xml");

  private ClusterConfiguration() {}

  /**
   * The configuration of a cluster: Hadoop's defaults, then the files of the directory, then the
   * settings, which come even before what a file calls final. Configuration files on the class path
   * have no say. {@link HdfsWaits} are shortened where nobody has set them. The result belongs to
   * the caller.
   *
   * @param directory with {@code core-site.xml} and {@code yarn-site.xml}, and, where there are
   *     such, {@code hdfs-site.xml}, {@code mapred-site.xml} and {@code tez-site.xml}
   * @throws IllegalArgumentException when there is no such directory, when a file is not what it
   *     should be, or when a client cannot find the cluster with it
   */
  public static YarnConfiguration load(Path directory, Map<String, String> settings) {
    List<Path> files = files(directory);
    Configuration given = new Configuration(false);
    files.forEach(file -> addFile(given, file));
    settings.forEach(given::set);
    requireFileSystem(directory, given);
    requireResourceManager(directory, given);
    ShuffleService.requireSupported(directory, given);

    Configuration all = new Configuration(false);
    DEFAULTS.forEach(all::addResource);
    files.forEach(file -> all.addResource(hadoopPath(file)));
    settings.forEach(all::set);
    HdfsWaits.shorten(all);
    return new YarnConfiguration(all);
  }

  private static List<Path> files(Path directory) {
    if (!Files.isDirectory(directory)) {
      throw new IllegalArgumentException(
          "the cluster's configuration is to be in "
              + directory
              + ", which is "
              + (Files.exists(directory) ? "no directory" : "not there")
              + "; name the directory that has the cluster's core-site.xml and yarn-site.xml");
    }
    List<Path> files = SITES.stream().map(directory::resolve).filter(Files::exists).toList();
    if (!files.contains(directory.resolve(CORE_SITE))
        && !files.contains(directory.resolve(YARN_SITE))) {
      throw new IllegalArgumentException(
          directory
              + " has neither a core-site.xml nor a yarn-site.xml, so it is not a directory with"
              + " Hadoop's configuration; name the one that has them, such as /etc/hadoop/conf");
    }
    return files;
  }

  /** Reads it at once, so that what is wrong with it is said with its name. */
  private static void addFile(Configuration configuration, Path file) {
    try {
      configuration.addResource(hadoopPath(file));
      configuration.size();
    } catch (RuntimeException e) {
      throw unreadable(file, e);
    }
  }

  private static IllegalArgumentException unreadable(Path file, RuntimeException e) {
    return new IllegalArgumentException(
        file
            + " cannot be read as a configuration file of Hadoop ("
            + e.getMessage()
            + "); it should be XML with a <configuration> of <property>s",
        e);
  }

  private static void requireFileSystem(Path directory, Configuration given) {
    String key = CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY;
    String value = given.getTrimmed(key, "");
    if (value.isEmpty()) {
      throw new IllegalArgumentException(
          key
              + " is not set in "
              + directory
              + ", so the cluster's file system is unknown; core-site.xml should have it, for"
              + " example as hdfs://namenode:8020");
    }
    URI uri;
    try {
      uri = URI.create(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          key + " is '" + value + "', which is no URI; it should be like hdfs://namenode:8020", e);
    }
    if (uri.getScheme() == null || uri.getScheme().equals("file")) {
      throw new IllegalArgumentException(
          key
              + " is '"
              + value
              + "', the local file system of each machine; jobs on a cluster need one that all"
              + " machines share, for example hdfs://namenode:8020");
    }
  }

  /** Hadoop's default address is that of no machine, and with it a client waits for minutes. */
  private static void requireResourceManager(Path directory, Configuration given) {
    boolean known =
        given.get(YarnConfiguration.RM_ADDRESS) != null
            || given.get(YarnConfiguration.RM_HOSTNAME) != null
            || (given.getBoolean(YarnConfiguration.RM_HA_ENABLED, false)
                && given.get(YarnConfiguration.RM_HA_IDS) != null);
    if (!known) {
      throw new IllegalArgumentException(
          "the address of YARN's ResourceManager is not set in "
              + directory
              + "; yarn-site.xml should have "
              + YarnConfiguration.RM_HOSTNAME
              + " or "
              + YarnConfiguration.RM_ADDRESS
              + ", or "
              + YarnConfiguration.RM_HA_IDS
              + " where there are several");
    }
  }

  private static org.apache.hadoop.fs.Path hadoopPath(Path file) {
    return new org.apache.hadoop.fs.Path(file.toUri());
  }
}
