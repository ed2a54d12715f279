// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterConfigurationTest {

  @TempDir Path directory;

  private void write(String file, String... namesAndValues) throws IOException {
    StringBuilder xml = new StringBuilder("<configuration>");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      xml.append("<property><name>")
          .append(namesAndValues[i])
          .append("</name><value>")
          .append(namesAndValues[i + 1])
          .append("</value><final>true</final></property>");
    }
    Files.writeString(directory.resolve(file), xml.append("</configuration>"));
  }

  private void writeSites() throws IOException {
    write("core-site.xml", "fs.defaultFS", "hdfs://names:9000");
    write("yarn-site.xml", "yarn.resourcemanager.hostname", "resources");
  }

  @Test
  void allFilesOfTheDirectoryCountAndHadoopsDefaultsBeneath() throws IOException {
    writeSites();
    write("hdfs-site.xml", "dfs.replication", "2");
    write("mapred-site.xml", "mapreduce.client.submit.file.replication", "4");
    write("tez-site.xml", "tez.queue.name", "night");
    Configuration loaded = ClusterConfiguration.load(directory, Map.of());
    assertThat(loaded.get("fs.defaultFS")).isEqualTo("hdfs://names:9000");
    assertThat(loaded.get("yarn.resourcemanager.address")).isEqualTo("resources:8032");
    assertThat(loaded.get("dfs.replication")).isEqualTo("2");
    assertThat(loaded.get("mapreduce.client.submit.file.replication")).isEqualTo("4");
    assertThat(loaded.get("tez.queue.name")).isEqualTo("night");
    assertThat(loaded.get("yarn.nm.liveness-monitor.expiry-interval-ms")).isEqualTo("600000");
  }

  @Test
  void settingsComeBeforeFilesEvenWhereTheseAreFinal() throws IOException {
    writeSites();
    Configuration loaded =
        ClusterConfiguration.load(
            directory, Map.of("fs.defaultFS", "hdfs://others:1", "tez.am.log.level", "DEBUG"));
    assertThat(loaded.get("fs.defaultFS")).isEqualTo("hdfs://others:1");
    assertThat(loaded.get("tez.am.log.level")).isEqualTo("DEBUG");
    assertThat(new Configuration(loaded).get("fs.defaultFS")).isEqualTo("hdfs://others:1");
  }

  @Test
  void aFileThatIsClosedIsAskedAboutSoonUnlessTheClusterSaysOtherwise() throws IOException {
    String delay = "dfs.client.block.write.locateFollowingBlock.initial.delay.ms";
    writeSites();
    assertThat(ClusterConfiguration.load(directory, Map.of()).get(delay)).isEqualTo("10");
    write("hdfs-site.xml", delay, "250");
    assertThat(ClusterConfiguration.load(directory, Map.of()).get(delay)).isEqualTo("250");
  }

  @Test
  void filesOnTheClassPathDoNotCount() throws Exception {
    writeSites();
    Path elsewhere = Files.createDirectory(directory.resolve("class-path"));
    Files.writeString(
        elsewhere.resolve("core-site.xml"),
        "<configuration><property><name>from.class.path</name><value>1</value></property>"
            + "</configuration>");
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (java.net.URLClassLoader loader =
        new java.net.URLClassLoader(new java.net.URL[] {elsewhere.toUri().toURL()}, before)) {
      Thread.currentThread().setContextClassLoader(loader);
      assertThat(new Configuration().get("from.class.path")).isEqualTo("1");
      assertThat(ClusterConfiguration.load(directory, Map.of()).get("from.class.path")).isNull();
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  @Test
  void severalResourceManagersAreAnAddressToo() throws IOException {
    write("core-site.xml", "fs.defaultFS", "hdfs://names:9000");
    write(
        "yarn-site.xml",
        "yarn.resourcemanager.ha.enabled",
        "true",
        "yarn.resourcemanager.ha.rm-ids",
        "a,b");
    assertThat(ClusterConfiguration.load(directory, Map.of()).get("fs.defaultFS")).isNotNull();
  }

  @Test
  void aDirectoryThatIsNotThereIsNamed() {
    assertRefused(directory.resolve("nowhere"), "nowhere, which is not there", "yarn-site.xml");
  }

  @Test
  void aFileIsNoDirectory() throws IOException {
    writeSites();
    assertRefused(directory.resolve("core-site.xml"), "core-site.xml, which is no directory");
  }

  @Test
  void aDirectoryWithoutHadoopsFilesIsRefused() {
    assertRefused(directory, "neither a core-site.xml nor a yarn-site.xml");
  }

  @Test
  void aFileThatIsNoXmlIsNamed() throws IOException {
    writeSites();
    Files.writeString(directory.resolve("hdfs-site.xml"), "dfs.replication=2");
    assertRefused(directory, "hdfs-site.xml cannot be read");
  }

  @Test
  void withoutAFileSystemThereIsNoCluster() throws IOException {
    write("yarn-site.xml", "yarn.resourcemanager.hostname", "resources");
    assertRefused(directory, "fs.defaultFS is not set", "hdfs://namenode:8020");
  }

  @Test
  void theLocalFileSystemIsNotShared() throws IOException {
    writeSites();
    write("core-site.xml", "fs.defaultFS", "file:///");
    assertRefused(directory, "'file:///', the local file system", "hdfs://namenode:8020");
  }

  @Test
  void withoutAnAddressThereIsNoResourceManager() throws IOException {
    write("core-site.xml", "fs.defaultFS", "hdfs://names:9000");
    assertRefused(directory, "ResourceManager is not set", "yarn.resourcemanager.hostname");
  }

  private static void assertRefused(Path directory, String... parts) {
    assertThatThrownBy(() -> ClusterConfiguration.load(directory, Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(parts);
  }

  private void assertShuffleRefused(String file, String name, String value, String message)
      throws IOException {
    writeSites();
    write(
        file,
        "fs.defaultFS",
        "hdfs://names:9000",
        "yarn.resourcemanager.hostname",
        "r",
        name,
        value);
    assertThatThrownBy(() -> ClusterConfiguration.load(directory, Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(name + " is ")
        .hasMessageContaining(directory.toString())
        .hasMessageContaining(message);
    Files.delete(directory.resolve(file));
  }

  @Test
  void aShuffleServiceThatBlocksCannotBeFetchedFromIsRefused() throws IOException {
    assertShuffleRefused(
        "tez-site.xml",
        "tez.am.shuffle.auxiliary-service.id",
        "spark_shuffle",
        "blocks are fetched from mapreduce_shuffle or tez_shuffle only");
    assertShuffleRefused(
        "yarn-site.xml",
        "yarn.nodemanager.aux-services",
        "spark_shuffle,timeline",
        "without mapreduce_shuffle");
    assertShuffleRefused("mapred-site.xml", "mapreduce.shuffle.ssl.enabled", "true", "over TLS");
    assertShuffleRefused("tez-site.xml", "tez.runtime.shuffle.ssl.enable", "true", "over TLS");
  }

  @Test
  void aShuffleServiceAmongOthersIsFine() throws IOException {
    writeSites();
    write(
        "mapred-site.xml",
        "yarn.nodemanager.aux-services",
        "spark_shuffle, mapreduce_shuffle",
        "mapreduce.shuffle.ssl.enabled",
        "false");
    assertThat(ClusterConfiguration.load(directory, Map.of()).get("fs.defaultFS"))
        .isEqualTo("hdfs://names:9000");
  }

  @Test
  void tezsShuffleServiceIsFineWhereItRuns() throws IOException {
    writeSites();
    write("tez-site.xml", "tez.am.shuffle.auxiliary-service.id", "tez_shuffle");
    write("mapred-site.xml", "yarn.nodemanager.aux-services", "mapreduce_shuffle,tez_shuffle");
    assertThat(
            ClusterConfiguration.load(directory, Map.of())
                .get("tez.am.shuffle.auxiliary-service.id"))
        .isEqualTo("tez_shuffle");

    write("mapred-site.xml", "yarn.nodemanager.aux-services", "mapreduce_shuffle");
    assertRefused(directory, "yarn.nodemanager.aux-services", "without tez_shuffle");
  }
}
