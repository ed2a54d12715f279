// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.NemoRunner;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.translation.PipelineTranslator;
import dev.anemone.cluster.LocalCluster;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.BoundedSource;
import org.apache.beam.sdk.io.FileIO;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.io.TextSource;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.FlatMapElements;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pipelines that read and write a real HDFS, whose nodes differ in their host names. */
class HdfsPipelineTest {

  private static final int NODES = 2;
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int BLOCKS = 8;

  /** There are four parts for each. */
  private static final int SLOTS = BLOCKS / 4;

  private static final Pattern SPACE = Pattern.compile(" ");

  @TempDir private static java.nio.file.Path directory;
  private static LocalCluster cluster;
  private static FileSystem files;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        LocalCluster.start(
            new LocalCluster.Settings(
                NODES,
                directory.resolve("cluster"),
                LocalCluster.Settings.DEFAULT_MEMORY_MB,
                LocalCluster.Settings.DEFAULT_CORES,
                Map.of("dfs.replication", "1", "dfs.blocksize", String.valueOf(BLOCK_BYTES))));
    Configuration configuration =
        new ClusterDirectory("the test", cluster.configurationDirectory().toString())
            .fileSystems(Map.of())
            .orElseThrow();
    files = FileSystem.get(configuration);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void aPipelineInThisJvmReadsAndWritesHdfs() throws IOException {
    write("/words/one", "to be or not\n");
    write("/words/two", "to be\n");
    Pipeline pipeline = Pipeline.create(options());
    pipeline
        .apply(TextIO.read().from(uri("/words/*")))
        .apply(
            FlatMapElements.into(TypeDescriptors.strings())
                .via((String line) -> Arrays.asList(SPACE.split(line))))
        .apply(Count.perElement())
        .apply(
            MapElements.into(TypeDescriptors.strings())
                .via((KV<String, Long> count) -> count.getKey() + ": " + count.getValue()))
        .apply(TextIO.write().to(uri("/counts/all")).withNumShards(2));

    pipeline.run().waitUntilFinish();

    List<String> lines = new ArrayList<>();
    for (FileStatus file : files.listStatus(new Path("/counts"))) {
      assertThat(file.getPath().getName()).matches("all-0000[01]-of-00002");
      lines.addAll(lines(file.getPath()));
    }
    assertThat(lines).containsExactlyInAnyOrder("to: 2", "be: 2", "or: 1", "not: 1");
  }

  @Test
  void namesOfFilesAreShuffled() throws IOException {
    write("/names/a", "x\n");
    Pipeline pipeline = Pipeline.create(options());
    pipeline
        .apply(Create.of(uri("/names/*")))
        .apply(FileIO.matchAll())
        .apply(FileIO.readMatches())
        .apply(Reshuffle.viaRandomKey())
        .apply(TextIO.readFiles())
        .apply(TextIO.write().to(uri("/copies/a")).withoutSharding());

    pipeline.run().waitUntilFinish();

    assertThat(lines(new Path("/copies/a"))).containsExactly("x");
  }

  @Test
  void aPartIsToBeReadWhereItsBlocksLie() throws IOException {
    Path large = writeLarge("/large");

    List<SourcePart> parts = parts(uri("/large"));

    assertThat(parts).hasSize(BLOCKS);
    BlockLocation[] blocks = files.getFileBlockLocations(large, 0, Long.MAX_VALUE);
    for (int i = 0; i < BLOCKS; i++) {
      assertThat(parts.get(i).sizeBytes()).isEqualTo(BLOCK_BYTES);
      assertThat(parts.get(i).hosts())
          .hasSize(1)
          .containsExactlyInAnyOrder(blocks[i].getHosts())
          .isSubsetOf(cluster.addresses().stream().map(node -> node.orElseThrow().host()).toList());
    }
  }

  @Test
  void aLocalFileHasNoHosts() throws IOException {
    java.nio.file.Path local = Files.writeString(directory.resolve("local"), "x\n");

    assertThat(parts(local.toString()))
        .singleElement()
        .extracting(SourcePart::hosts)
        .isEqualTo(List.of());
  }

  @Test
  void aFileThatIsGoneHasNoHosts() throws Exception {
    writeLarge("/gone");
    PipelineOptions options = options();
    Pipeline.create(options);
    List<BoundedSource<?>> sources =
        new ArrayList<>(
            new TextSource(
                    ValueProvider.StaticValueProvider.of(uri("/gone")),
                    EmptyMatchTreatment.DISALLOW,
                    new byte[] {'\n'},
                    0)
                .split(BLOCK_BYTES, options));
    files.delete(new Path("/gone"), false);

    assertThat(BlockHosts.of(sources, options)).hasSize(BLOCKS).containsOnly(List.of());
  }

  @Test
  void theClusterIsAskedForRoomBeforeAnythingRuns() {
    PipelineOptions options = options();
    options.as(NemoPipelineOptions.class).setDeployMode("yarn");
    options.as(NemoPipelineOptions.class).setExecutorMemoryMb(100 << 10);
    Pipeline pipeline = Pipeline.create(options);
    pipeline.apply(Create.of("x"));

    assertThatThrownBy(pipeline::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(String.valueOf(100 << 10))
        .hasMessageContaining(String.valueOf(LocalCluster.Settings.DEFAULT_MEMORY_MB));
  }

  private static List<SourcePart> parts(String pattern) {
    PipelineOptions options = options();
    Pipeline pipeline = Pipeline.create(options);
    pipeline.apply(TextIO.read().from(pattern));
    IRDag dag = PipelineTranslator.translate(pipeline, options, SLOTS).dag();
    return dag.vertices().stream()
        .filter(SourceVertex.class::isInstance)
        .map(SourceVertex.class::cast)
        .findFirst()
        .orElseThrow()
        .parts();
  }

  private static PipelineOptions options() {
    PipelineOptions options =
        PipelineOptionsFactory.fromArgs("--hadoopConfDir=" + cluster.configurationDirectory())
            .create();
    options.setRunner(NemoRunner.class);
    return options;
  }

  private static String uri(String path) {
    return files.getUri() + path;
  }

  private static void write(String path, String text) throws IOException {
    try (OutputStream out = files.create(new Path(path))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static Path writeLarge(String path) throws IOException {
    byte[] block = new byte[BLOCK_BYTES];
    Arrays.fill(block, (byte) '\n');
    try (OutputStream out = files.create(new Path(path))) {
      for (int i = 0; i < BLOCKS; i++) {
        out.write(block);
      }
    }
    return new Path(path);
  }

  private static List<String> lines(Path file) throws IOException {
    try (InputStream in = files.open(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
