// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.options.NemoPipelineOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.MatchResult;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.util.MimeTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Containers keep the data between stages in a pool of two servers, and what fails takes none of
 * the answer with it, and leaves nothing in the pool: stage0 reads and splits the text, stage1
 * counts and writes.
 */
class YarnPoolIT {
  private static final String POLICY = "Disaggregation";
  private static final String COUNTING = "^stage1$";
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final org.joda.time.Duration JOB_LIMIT = org.joda.time.Duration.standardMinutes(5);

  @TempDir private static Path directory;
  private static TestCluster cluster;
  private static PoolServers pool;
  private PipelineResult current;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.shared();
    pool = new PoolServers(directory);
  }

  @AfterAll
  static void stop() throws IOException {
    if (pool != null) {
      pool.close();
    }
  }

  @AfterEach
  void nothingIsLeft() throws IOException, InterruptedException {
    cluster.faults().disarm();
    if (current != null && !current.getState().isTerminal()) {
      current.cancel();
    }
    // A task that was ended may still be giving back what it had not committed.
    Waiting.until(() -> pool.usedBytes() == 0, LIMIT, () -> pool.usedBytes() + " bytes are left");
    assertThat(pool.directories()).isEmpty();
  }

  @Test
  void blocksOutliveTheirContainersAndNotTheirJob() throws Exception {
    cluster.faults().arm(Fault.once(Fault.Kind.KILL, FaultyWordCount.COUNT));

    run("pooled");

    assertAnswer("pooled");
    assertThat(cluster.faults().strikes()).hasSize(1);
    assertThat(sum("storedBytes")).isPositive();
    assertThat(sum("poolWrittenBytes")).isEqualTo(sum("storedBytes"));
    assertThat(sum("poolReadBytes")).isGreaterThanOrEqualTo(sum("storedBytes"));
    assertThat(sum("overflowedBytes")).isZero();
    assertThat(sum("diskReadBytes")).isZero();
  }

  @Test
  @Tag("nightly")
  void aServerIsLostWithBlocksBeforeTheyAreRead() throws Exception {
    cluster
        .faults()
        .arm(Fault.once(Fault.Kind.HOLD, "BEGUN").inStages(COUNTING).times(Integer.MAX_VALUE));
    // Compressed, the blocks are so small that one server may have them all.
    run("lost-server", "--compression=none");
    cluster.faults().awaitStrike();
    assertThat(pool.usedBytes(0)).isPositive();
    assertThat(pool.usedBytes(1)).isPositive();

    pool.stop(0);
    cluster.faults().release();

    assertAnswer("lost-server");
    pool.start(0);
  }

  /** What it held is made again, in local files; what is read later is not looked for in it. */
  @Test
  void allServersAreLostWithBlocksBeforeTheyAreRead() throws Exception {
    cluster
        .faults()
        .arm(Fault.once(Fault.Kind.HOLD, "BEGUN").inStages(COUNTING).times(Integer.MAX_VALUE));
    run("lost-pool");
    cluster.faults().awaitStrike();
    assertThat(pool.usedBytes()).isPositive();

    pool.stop(0);
    pool.stop(1);
    cluster.faults().release();

    assertAnswer("lost-pool");
    assertThat(sum("diskReadBytes")).isPositive();
    assertThat(sum("overflowedBytes")).isPositive();
    assertThat(sum("poolWrittenBytes") + sum("overflowedBytes")).isEqualTo(sum("storedBytes"));
    pool.start(0);
    pool.start(1);
  }

  @Test
  @Tag("nightly")
  void theMasterIsKilled() throws Exception {
    cluster.faults().arm(Fault.once(Fault.Kind.HOLD, "BEGUN").inStages(COUNTING));
    run("killed-master");
    cluster.faults().awaitStrike();
    assertThat(pool.usedBytes()).isPositive();

    cluster.master().orElseThrow().destroyForcibly();
    Waiting.until(() -> pool.usedBytes() == 0, LIMIT, () -> "the lease has not ended");
    cluster.faults().release();

    assertAnswer("killed-master");
  }

  @Test
  void inputAndOutputAreFilesOfThePool() throws Exception {
    FileSystems.setDefaultPipelineOptions(options("files"));
    Path texts = Files.createDirectory(directory.resolve("texts"));
    cluster.copyOut("/input", texts);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(texts, "text-*")) {
      for (Path file : files) {
        try (WritableByteChannel copy = create("pool:///in/" + file.getFileName())) {
          copy.write(ByteBuffer.wrap(Files.readAllBytes(file)));
        }
      }
    }

    run(options("files"), "pool:///in/text-*", "pool:///out/counts");

    assertThat(current.waitUntilFinish(JOB_LIMIT)).isEqualTo(PipelineResult.State.DONE);
    List<ResourceId> written = matched("pool:///out/*");
    assertThat(written).hasSizeGreaterThan(1);
    List<String> lines = new ArrayList<>();
    for (ResourceId file : written) {
      try (InputStream in = Channels.newInputStream(FileSystems.open(file))) {
        new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(lines::add);
      }
    }
    assertThat(lines.stream().sorted().toList()).isEqualTo(cluster.trueCounts());
    FileSystems.delete(matched("pool:///in/*"));
    FileSystems.delete(written);
  }

  private static WritableByteChannel create(String file) throws IOException {
    return FileSystems.create(FileSystems.matchNewResource(file, false), MimeTypes.TEXT);
  }

  private static List<ResourceId> matched(String pattern) throws IOException {
    return FileSystems.match(pattern).metadata().stream()
        .map(MatchResult.Metadata::resourceId)
        .toList();
  }

  @Test
  @Tag("nightly")
  void containersKeepCopiesOfPages() throws Exception {
    run("cached", "--memoryPoolCacheMb=8");

    assertAnswer("cached");
    assertThat(sum("cacheHits")).isPositive();
    assertThat(sum("cacheHitBytes")).isPositive();
    assertThat(sum("cacheMisses")).isPositive();
  }

  @Test
  void aWrongSecretIsRefusedBeforeAnythingStarts() throws IOException {
    Path wrong = Files.writeString(directory.resolve("wrong"), "another secret");

    assertThatThrownBy(() -> run("refused", "--memoryPoolTokenFile=" + wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot be used")
        .hasMessageContaining("token");
  }

  private void run(String job, String... others) {
    run(options(job, others), cluster.input(), cluster.output(job));
  }

  private void run(NemoPipelineOptions options, String input, String output) {
    current = FaultyWordCount.pipeline(options, input, output).run();
  }

  private static NemoPipelineOptions options(String job, String... others) {
    List<String> arguments = new ArrayList<>(cluster.arguments(job, POLICY));
    arguments.addAll(pool.arguments());
    for (String other : others) {
      String option = other.substring(0, other.indexOf('=') + 1);
      arguments.removeIf(argument -> argument.startsWith(option));
      arguments.add(other);
    }
    return PipelineOptionsFactory.fromArgs(arguments.toArray(String[]::new))
        .as(NemoPipelineOptions.class);
  }

  private void assertAnswer(String job) throws IOException {
    assertThat(current.waitUntilFinish(JOB_LIMIT)).isEqualTo(PipelineResult.State.DONE);
    assertThat(cluster.takeResult(job)).isEqualTo(cluster.trueCounts());
  }

  /** A counter of the job, of all its edges. */
  private long sum(String counter) {
    MetricsFilter filter =
        MetricsFilter.builder()
            .addNameFilter(MetricNameFilter.named("anemone.edge", counter))
            .build();
    long sum = 0;
    for (var edge : current.metrics().queryMetrics(filter).getCounters()) {
      sum += edge.getAttempted();
    }
    return sum;
  }
}
