// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.pagerank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.anemone.beam.NemoRunner;
import dev.anemone.examples.PipelineRuns;
import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.beam.sdk.metrics.DistributionResult;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricQueryResults;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The graph is written once, to the pool, and read from there by each iteration. */
class PageRankPoolTest {
  private static final String SECRET = "of this test";
  private static final int PAGE_BYTES = 64 << 10;
  private static final int ITERATIONS = 4;
  private static final RandomGraph GRAPH = new RandomGraph(2_000, 20_000, 1);

  /** The graph has more, everything else that several stages read has less. */
  private static final long LEAST_LINK_BYTES = 50_000;

  @TempDir private Path directory;

  /**
   * What went over an edge.
   *
   * @param stored bytes, by its producers
   * @param fromFiles bytes that its consumers read from local files
   * @param read bytes that its consumers were given
   */
  private record Traffic(long stored, long fromFiles, long read) {}

  @Test
  void theGraphIsWrittenOnceAndReadFromThePoolInEachIteration() throws IOException {
    ServerAddress address = freeAddress();
    Path token = Files.writeString(directory.resolve("token"), SECRET);
    try (Transport transport = Transports.found().open("tcp");
        PoolServer server = start(transport, address)) {
      Map<String, Traffic> edges =
          run(
              ITERATIONS,
              "--optimizationPolicy=Disaggregation",
              "--memoryPool=" + address,
              "--memoryPoolTransport=tcp",
              "--memoryPoolTokenFile=" + token);

      assertThat(server.status().usedBytes()).isZero();
      assertWrittenOnce(edges);
      assertThat(ofTheGraph(edges)).allMatch(edge -> edge.fromFiles() == 0);
    }
    assertRight(ITERATIONS);
  }

  @Test
  void withoutAPoolItIsWrittenOnceToLocalFiles() throws IOException {
    Map<String, Traffic> edges = run(ITERATIONS, "--optimizationPolicy=Default");
    assertWrittenOnce(edges);
    assertThat(ofTheGraph(edges)).allMatch(edge -> edge.fromFiles() > 0);
    assertRight(ITERATIONS);
  }

  /** Without deleting, all that any iteration writes is there at the end. */
  @Test
  void twentyIterationsHaveBoundedDisk() throws Exception {
    Path temp = directory.resolve("temp");
    AtomicLong most = new AtomicLong();
    Map<String, Traffic> edges;
    try (Watch watch = new Watch(() -> blockBytes(temp.toFile()), most)) {
      edges = run(20, "--optimizationPolicy=Default", "--tempDirectory=" + temp);
    }
    assertThat(most.get()).isBetween(1L, storedBytes(edges) / 3);
    assertRight(20);
  }

  @Test
  void twentyIterationsHaveBoundedPool() throws Exception {
    ServerAddress address = freeAddress();
    Path token = Files.writeString(directory.resolve("token"), SECRET);
    AtomicLong most = new AtomicLong();
    Map<String, Traffic> edges;
    try (Transport transport = Transports.found().open("tcp");
        PoolServer server = start(transport, address);
        Watch watch = new Watch(() -> server.status().usedBytes(), most)) {
      edges =
          run(
              20,
              "--optimizationPolicy=Disaggregation",
              "--memoryPool=" + address,
              "--memoryPoolTransport=tcp",
              "--memoryPoolTokenFile=" + token);
    }
    assertThat(most.get()).isBetween(1L, storedBytes(edges) / 2);
    assertRight(20);
  }

  /** Looks again and again how many bytes there are, until it is closed. */
  private static final class Watch implements AutoCloseable {
    private final Thread thread;

    Watch(LongSupplier bytes, AtomicLong most) {
      thread =
          new Thread(
              () -> {
                while (!Thread.currentThread().isInterrupted()) {
                  most.accumulateAndGet(bytes.getAsLong(), Math::max);
                  LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
                }
              });
      thread.start();
    }

    @Override
    public void close() throws InterruptedException {
      thread.interrupt();
      thread.join();
    }
  }

  private static long blockBytes(File directory) {
    File[] files = directory.listFiles();
    if (files == null) {
      return 0;
    }
    return Arrays.stream(files)
        .mapToLong(
            file ->
                file.isDirectory()
                    ? blockBytes(file)
                    : file.getName().equals("file.out") ? file.length() : 0)
        .sum();
  }

  private static long storedBytes(Map<String, Traffic> edges) {
    return edges.values().stream().mapToLong(Traffic::stored).sum();
  }

  /** The edges that bring the same bytes to several stages. */
  private static List<Traffic> ofTheGraph(Map<String, Traffic> edges) {
    long bytes =
        edges.values().stream()
            .filter(edge -> edge.stored() == 0)
            .mapToLong(Traffic::read)
            .max()
            .orElse(0);
    return edges.values().stream().filter(edge -> edge.read() == bytes).toList();
  }

  private static void assertWrittenOnce(Map<String, Traffic> edges) {
    List<Traffic> graph = ofTheGraph(edges);
    assertThat(graph).hasSize(ITERATIONS);
    assertThat(graph.get(0).read()).isGreaterThan(LEAST_LINK_BYTES);
    assertThat(graph).filteredOn(edge -> edge.stored() > 0).hasSize(1);
  }

  private void assertRight(int iterations) throws IOException {
    Map<String, Double> ranks = PageRankTest.ranks(directory);
    Map<String, Double> expected = InMemoryPageRank.of(PageRankTest.edges(GRAPH), iterations, 0.85);
    assertThat(ranks).hasSameSizeAs(expected);
    expected.forEach((vertex, rank) -> assertThat(ranks.get(vertex)).isCloseTo(rank, within(1e-9)));
  }

  private Map<String, Traffic> run(int iterations, String... arguments) {
    PageRank.Options options =
        PipelineOptionsFactory.fromArgs(arguments).as(PageRank.Options.class);
    options.setRunner(NemoRunner.class);
    options.setGenerate(GRAPH.vertices() + "," + GRAPH.edges());
    options.setIterations(iterations);
    options.setOutput(directory.resolve("ranks").toString());
    MetricQueryResults metrics =
        PipelineRuns.complete(PageRank.pipeline(options))
            .metrics()
            .queryMetrics(
                MetricsFilter.builder()
                    .addNameFilter(MetricNameFilter.inNamespace("anemone.edge"))
                    .build());
    Map<String, Traffic> edges = new HashMap<>();
    for (MetricResult<Long> counter : metrics.getCounters()) {
      if (counter.getName().getName().equals("storedBytes")) {
        String edge = counter.getKey().stepName();
        edges.put(
            edge,
            new Traffic(
                counter.getAttempted(),
                counter(metrics, edge, "diskReadBytes"),
                readBytes(metrics, edge)));
      }
    }
    return edges;
  }

  private static long counter(MetricQueryResults metrics, String edge, String name) {
    return find(metrics.getCounters(), edge, name).orElse(0L);
  }

  private static long readBytes(MetricQueryResults metrics, String edge) {
    return find(metrics.getDistributions(), edge, "readBytesPerTask")
        .map(DistributionResult::getSum)
        .orElse(0L);
  }

  private static <T> Optional<T> find(Iterable<MetricResult<T>> results, String edge, String name) {
    for (MetricResult<T> result : results) {
      if (result.getKey().stepName().equals(edge) && result.getName().getName().equals(name)) {
        return Optional.of(result.getAttempted());
      }
    }
    return Optional.empty();
  }

  private static ServerAddress freeAddress() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new ServerAddress("127.0.0.1", socket.getLocalPort());
    }
  }

  private static PoolServer start(Transport transport, ServerAddress address) throws IOException {
    return PoolServer.start(
        transport,
        new PoolServerOptions(
            address,
            List.of(address),
            List.of(TierOptions.dram(200L * PAGE_BYTES)),
            PAGE_BYTES,
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            AccessToken.of(SECRET)));
  }
}
