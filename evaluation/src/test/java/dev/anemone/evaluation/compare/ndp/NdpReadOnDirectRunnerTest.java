// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.sql.AnemoneQueryPlanner;
import dev.anemone.cluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.apache.beam.runners.direct.DirectRunner;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.Row;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of {@code TYPE ndp} on a runner that knows nothing of them, where a DoFn reads splits. */
class NdpReadOnDirectRunnerTest {

  private static final int ROWS = 50_000;
  private static final int FILES = 2;

  /** Of HDFS, so that each file has several. */
  private static final int BLOCK_BYTES = 1 << 20;

  private static final String SOME = "SELECT id, word FROM t WHERE id >= 24998 AND id < 25002";
  private static final String GROUPS =
      "SELECT word, COUNT(*) AS n, SUM(id) AS s FROM t WHERE id < 40000 GROUP BY word";

  /** Only in columns there is a total of all groups. */
  private static final String TOTALS =
      "SELECT a.word, COUNT(*) AS n, SUM(b.id) AS s FROM t a JOIN t b ON a.id = b.id"
          + " GROUP BY ROLLUP(a.word)";

  private static final Map<String, Queue<String>> COLLECTED = new ConcurrentHashMap<>();

  @TempDir Path directory;

  @Test
  void filesOfThisMachineAreRead() throws IOException {
    assertAnswers(write().toString());
  }

  @Test
  @Tag("nightly")
  void filesOfHdfsAreReadWithoutProxies() throws IOException {
    Path table = write();
    try (LocalCluster cluster =
        LocalCluster.start(
            new LocalCluster.Settings(
                2,
                directory.resolve("cluster"),
                LocalCluster.Settings.DEFAULT_MEMORY_MB,
                LocalCluster.Settings.DEFAULT_CORES,
                Map.of("dfs.replication", "1", "dfs.blocksize", String.valueOf(BLOCK_BYTES))))) {
      Configuration configuration = new Configuration(false);
      for (String name : List.of("core-site.xml", "hdfs-site.xml")) {
        configuration.addResource(
            new org.apache.hadoop.fs.Path(cluster.configurationDirectory().resolve(name).toUri()));
      }
      try (FileSystem files = FileSystem.newInstance(configuration)) {
        org.apache.hadoop.fs.Path target = new org.apache.hadoop.fs.Path("/t");
        files.copyFromLocalFile(new org.apache.hadoop.fs.Path(table.toUri()), target);
        assertAnswers(
            files.getUri().toString() + target,
            "--hadoopConfDir=" + cluster.configurationDirectory());
      }
    }
  }

  /** With one side beside the pieces of the other one, and with both in partitions. */
  @ParameterizedTest
  @ValueSource(longs = {8 << 20, 0})
  void joinsRunInColumnsThatAreExchanged(long broadcastBytes) throws IOException {
    String location = write().toString();
    List<String> totals = new ArrayList<>();
    totals.add("null," + ROWS + "," + (long) ROWS * (ROWS - 1) / 2);
    for (int word = 0; word < 3; word++) {
      int first = word;
      long[] ids = LongStream.range(0, ROWS).filter(id -> id % 3 == first).toArray();
      totals.add(word(word) + "," + ids.length + "," + LongStream.of(ids).sum());
    }

    assertThat(
            rows(
                TOTALS,
                location,
                "--columnar=distributed",
                "--exchangePartitions=3",
                "--columnarPieceMb=1",
                "--broadcastJoinBytes=" + broadcastBytes))
        .containsExactlyInAnyOrderElementsOf(totals);
  }

  /** A directory of files, of more than a block each. */
  private Path write() throws IOException {
    Path table = Files.createDirectory(directory.resolve("t"));
    for (int file = 0; file < FILES; file++) {
      StringBuilder text = new StringBuilder();
      for (int id = file * ROWS / FILES; id < (file + 1) * ROWS / FILES; id++) {
        text.append(id).append('|').append(word(id)).append('|').append("x".repeat(50));
        text.append('\n');
      }
      Files.writeString(table.resolve("part-" + file + ".csv"), text);
    }
    return table;
  }

  private static String word(int id) {
    return "word " + id % 3;
  }

  private static void assertAnswers(String location, String... arguments) {
    assertThat(rows(SOME, location, arguments))
        .containsExactlyInAnyOrder(
            "24998," + word(24998),
            "24999," + word(24999),
            "25000," + word(25000),
            "25001," + word(25001));
    List<String> groups = new ArrayList<>();
    for (int word = 0; word < 3; word++) {
      long count = 0;
      long sum = 0;
      for (int id = word; id < 40_000; id += 3) {
        count++;
        sum += id;
      }
      groups.add(word(word) + "," + count + "," + sum);
    }
    assertThat(rows(GROUPS, location, arguments)).containsExactlyInAnyOrderElementsOf(groups);
  }

  private static List<String> rows(String query, String location, String... arguments) {
    String run = UUID.randomUUID().toString();
    COLLECTED.put(run, new ConcurrentLinkedQueue<>());
    PipelineOptions options = PipelineOptionsFactory.fromArgs(arguments).create();
    options.setRunner(DirectRunner.class);
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply(
            SqlTransform.query(query)
                .withDdlString(
                    "CREATE EXTERNAL TABLE t (id BIGINT, word VARCHAR, filler VARCHAR) TYPE ndp"
                        + " LOCATION '"
                        + location
                        + "' TBLPROPERTIES '{\"format\": \"csv\", \"delimiter\": \"|\"}'")
                .withQueryPlannerClass(AnemoneQueryPlanner.class))
        .apply(ParDo.of(new CollectFn(run)));
    pipeline.run().waitUntilFinish();
    return List.copyOf(COLLECTED.remove(run));
  }

  private static final class CollectFn extends DoFn<Row, Void> {

    private static final long serialVersionUID = 1;

    private final String run;

    CollectFn(String run) {
      this.run = run;
    }

    @ProcessElement
    public void process(@Element Row row) {
      COLLECTED
          .get(run)
          .add(String.join(",", row.getValues().stream().map(String::valueOf).toList()));
    }
  }
}
