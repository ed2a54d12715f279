// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** The files by which clients know a cluster. */
final class ConfigurationDirectory {
  private static final String CORE = "core-site.xml";
  private static final Map<String, String> FILE_OF_PREFIX =
      Map.of("dfs", "hdfs-site.xml", "yarn", "yarn-site.xml", "mapreduce", "mapred-site.xml");

  private ConfigurationDirectory() {}

  /**
   * Writes settings to the files where Hadoop looks for them.
   *
   * @return the directory
   */
  static Path write(Path directory, Map<String, String> settings) throws IOException {
    Files.createDirectories(directory);
    Map<String, Configuration> files = new LinkedHashMap<>();
    files.put(CORE, new Configuration(false));
    FILE_OF_PREFIX.values().forEach(file -> files.put(file, new Configuration(false)));
    settings.forEach((key, value) -> files.get(fileOf(key)).set(key, value, "local cluster"));
    for (Map.Entry<String, Configuration> file : files.entrySet()) {
      try (OutputStream out = Files.newOutputStream(directory.resolve(file.getKey()))) {
        file.getValue().writeXml(out);
      }
    }
    return directory;
  }

  private static String fileOf(String key) {
    int dot = key.indexOf('.');
    return FILE_OF_PREFIX.getOrDefault(dot < 0 ? key : key.substring(0, dot), CORE);
  }
}
