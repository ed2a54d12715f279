// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationDirectoryTest {
  @TempDir private Path directory;

  @Test
  void everySettingIsInTheFileWhereHadoopLooksForIt() throws IOException {
    Path written =
        ConfigurationDirectory.write(
            directory.resolve("conf"),
            Map.of(
                "fs.defaultFS", "hdfs://localhost:1",
                "dfs.replication", "2",
                "yarn.am.x", "a<b & c",
                "mapreduce.y", "1",
                "ipc.z", "3"));

    assertThat(written).isEqualTo(directory.resolve("conf"));
    assertThat(value("core-site.xml", "fs.defaultFS")).isEqualTo("hdfs://localhost:1");
    assertThat(value("core-site.xml", "ipc.z")).isEqualTo("3");
    assertThat(value("hdfs-site.xml", "dfs.replication")).isEqualTo("2");
    assertThat(value("yarn-site.xml", "yarn.am.x")).isEqualTo("a<b & c");
    assertThat(value("mapred-site.xml", "mapreduce.y")).isEqualTo("1");
    assertThat(value("core-site.xml", "dfs.replication")).isNull();
  }

  private String value(String file, String key) {
    Configuration configuration = new Configuration(false);
    configuration.addResource(
        new org.apache.hadoop.fs.Path(directory.resolve("conf").resolve(file).toUri()));
    return configuration.get(key);
  }
}
