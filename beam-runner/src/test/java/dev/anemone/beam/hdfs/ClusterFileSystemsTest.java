// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.harness.InMemoryTask;
import dev.anemone.beam.operator.BeamFunctionProvider;
import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.ElementCoderSpec;
import dev.anemone.beam.spec.JobPayload;
import dev.anemone.beam.spec.Urns;
import dev.anemone.ir.function.FunctionSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.ResourceIdCoder;
import org.apache.beam.sdk.io.hdfs.HadoopFileSystemOptions;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterFileSystemsTest {

  private static final String DEFAULT = "fs.defaultFS";

  @TempDir Path directory;

  @BeforeEach
  @AfterEach
  void forgetTheOptions() {
    FileSystems.setDefaultPipelineOptions(PipelineOptionsFactory.create());
  }

  @Test
  void theConfigurationOfTheDirectoryBecomesAnOption() throws IOException {
    site("core-site.xml", DEFAULT, "hdfs://namenode:8020");
    site("hdfs-site.xml", "dfs.replication", "2");
    PipelineOptions options =
        options("--hadoopConfDir=" + directory, "--clusterSettings=dfs.blocksize=1m");

    new ClusterFileSystems(Map.of()).fromOptions(options);

    Configuration configuration = configuration(options);
    assertThat(configuration.get(DEFAULT)).isEqualTo("hdfs://namenode:8020");
    assertThat(configuration.get("dfs.replication")).isEqualTo("2");
    assertThat(configuration.get("dfs.blocksize")).isEqualTo("1m");
  }

  @Test
  void theEnvironmentCanNameTheDirectory() throws IOException {
    site("core-site.xml", DEFAULT, "hdfs://namenode:8020");
    PipelineOptions options = options();

    new ClusterFileSystems(Map.of("HADOOP_CONF_DIR", directory.toString())).fromOptions(options);

    assertThat(configuration(options).get(DEFAULT)).isEqualTo("hdfs://namenode:8020");
  }

  @Test
  void whatTheUserHasSetIsKept() throws IOException {
    site("core-site.xml", DEFAULT, "hdfs://namenode:8020");
    PipelineOptions options =
        options(
            "--hadoopConfDir=" + directory,
            "--hdfsConfiguration=[{\"fs.defaultFS\": \"hdfs://other:9000\"}]");

    new ClusterFileSystems(Map.of()).fromOptions(options);

    assertThat(configuration(options).get(DEFAULT)).isEqualTo("hdfs://other:9000");
  }

  @Test
  void withoutADirectoryNothingIsSet() {
    PipelineOptions options = options("--hadoopConfDir=" + directory.resolve("missing"));

    new ClusterFileSystems(Map.of()).fromOptions(options);

    assertThat(options.as(HadoopFileSystemOptions.class).getHdfsConfiguration()).isNull();
  }

  @Test
  void beamKnowsTheSchemeAsSoonAsItKnowsTheOptions() throws IOException {
    site("core-site.xml", DEFAULT, "hdfs://namenode:8020");

    FileSystems.setDefaultPipelineOptions(options("--hadoopConfDir=" + directory));

    assertThat(FileSystems.matchNewResource("hdfs://namenode:8020/a", false).getScheme())
        .isEqualTo("hdfs");
  }

  @Test
  void aClusterOnTheLocalFileSystemLeavesItToBeam() throws IOException {
    site("core-site.xml", DEFAULT, "file:///");

    FileSystems.setDefaultPipelineOptions(options("--hadoopConfDir=" + directory));

    assertThat(FileSystems.matchNewResource("/a", false).getScheme()).isEqualTo("file");
  }

  @Test
  void aTaskHasTheConfigurationWithoutTheDirectory() throws IOException {
    site("core-site.xml", DEFAULT, "hdfs://namenode:8020");
    PipelineOptions options = options("--hadoopConfDir=" + directory);
    FileSystems.setDefaultPipelineOptions(options);
    byte[] payload = JobPayload.of(options).toBytes();
    Files.delete(directory.resolve("core-site.xml"));
    forgetTheOptions();

    PipelineOptions inTask = JobPayload.fromBytes(payload).options();

    assertThat(configuration(inTask).get(DEFAULT)).isEqualTo("hdfs://namenode:8020");
    assertThat(FileSystems.matchNewResource("hdfs://namenode:8020/a", false).getScheme())
        .isEqualTo("hdfs");
  }

  @Test
  void aTaskKnowsTheFileSystemsWhenItDecodesItsFirstElement() throws Exception {
    PipelineOptions options =
        options("--hdfsConfiguration=[{\"fs.defaultFS\": \"hdfs://namenode:8020\"}]");
    InMemoryTask task = new InMemoryTask(FunctionSpec.of("none")).withOptions(options);
    FunctionSpec fileNames =
        BeamSpecs.toFunctionSpec(
            Urns.WINDOWED_VALUE,
            new ElementCoderSpec(ResourceIdCoder.of(), GlobalWindow.Coder.INSTANCE));
    assertThatThrownBy(() -> FileSystems.matchNewResource("hdfs://namenode:8020/a", false))
        .hasMessageContaining("hdfs");

    new BeamFunctionProvider().decoder(fileNames, task);

    assertThat(FileSystems.matchNewResource("hdfs://namenode:8020/a", false).getScheme())
        .isEqualTo("hdfs");
  }

  @Test
  void theClusterOfAContainersOwnEnvironmentChangesNothing() throws IOException {
    site("core-site.xml", DEFAULT, "hdfs://node-local:1");
    PipelineOptions options =
        options("--hdfsConfiguration=[{\"fs.defaultFS\": \"hdfs://namenode:8020\"}]");

    new ClusterFileSystems(Map.of("HADOOP_CONF_DIR", directory.toString())).fromOptions(options);

    assertThat(configuration(options).get(DEFAULT)).isEqualTo("hdfs://namenode:8020");
  }

  @Test
  void aFileThatCannotBeReadIsNamed() throws IOException {
    Files.writeString(directory.resolve("core-site.xml"), "<configuration><property>");
    PipelineOptions options = options("--hadoopConfDir=" + directory);

    assertThatThrownBy(() -> new ClusterFileSystems(Map.of()).fromOptions(options))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--hadoopConfDir=" + directory)
        .hasMessageContaining("core-site.xml");
  }

  private void site(String file, String name, String value) throws IOException {
    Files.writeString(
        directory.resolve(file),
        "<configuration><property><name>"
            + name
            + "</name><value>"
            + value
            + "</value></property></configuration>");
  }

  private static Configuration configuration(PipelineOptions options) {
    List<Configuration> configurations =
        options.as(HadoopFileSystemOptions.class).getHdfsConfiguration();
    assertThat(configurations).hasSize(1);
    return configurations.get(0);
  }

  private static PipelineOptions options(String... arguments) {
    return PipelineOptionsFactory.fromArgs(arguments).create();
  }
}
