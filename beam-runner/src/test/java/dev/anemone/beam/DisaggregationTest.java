// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.metrics.EdgeMetrics;
import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.join.CoGbkResult;
import org.apache.beam.sdk.transforms.join.CoGroupByKey;
import org.apache.beam.sdk.transforms.join.KeyedPCollectionTuple;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TupleTag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The policy Disaggregation with real servers of a pool, and with persistent memory. */
class DisaggregationTest {

  private static final int PAGE_BYTES = 64 << 10;
  private static final String SECRET = "of this test";
  private static final String CACHE = "--memoryPoolCacheMb=4";
  private static final int TEXTS = 500;
  private static final int TEXT_LENGTH = 300;
  private static final int KEYS = 50;
  private static final TupleTag<String> TEXT = new TupleTag<>("text");
  private static final TupleTag<String> OTHER = new TupleTag<>("other");

  /** Random letters, of which compression leaves more than half. */
  private static final long TEXT_BYTES = TEXTS * TEXT_LENGTH / 2;

  /** What the pool held while the last stage ran; tasks run in this JVM. */
  private static final AtomicLong HELD = new AtomicLong();

  private static volatile PoolServer running;

  @TempDir Path directory;

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
            List.of(TierOptions.dram(100L * PAGE_BYTES)),
            PAGE_BYTES,
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            AccessToken.of(SECRET)));
  }

  private static Pipeline pipeline(String... arguments) {
    return Pipeline.create(PipelineOptionsFactory.fromArgs(arguments).withValidation().create());
  }

  /** Counts the numbers of each remainder, of 1,000. */
  private static PipelineResult countRemainders(Pipeline pipeline) {
    PCollection<KV<Integer, Integer>> counts =
        pipeline
            .apply(Create.of(IntStream.range(0, 1_000).boxed().collect(Collectors.toList())))
            .apply(ParDo.of(new RemainderFn()))
            .apply(GroupByKey.create())
            .apply(ParDo.of(new SizeFn()));
    PAssert.that(counts)
        .satisfies(
            all -> {
              Map<Integer, Integer> found =
                  StreamSupport.stream(all.spliterator(), false)
                      .collect(Collectors.toMap(KV::getKey, KV::getValue));
              assertThat(found).hasSize(7).containsEntry(0, 143).containsEntry(6, 142);
              return null;
            });
    PipelineResult result = pipeline.run();
    result.waitUntilFinish();
    return result;
  }

  private static long sum(PipelineResult result, String counter) {
    MetricsFilter filter =
        MetricsFilter.builder()
            .addNameFilter(MetricNameFilter.named(EdgeMetrics.NAMESPACE, counter))
            .build();
    return StreamSupport.stream(
            result.metrics().queryMetrics(filter).getCounters().spliterator(), false)
        .mapToLong(MetricResult::getAttempted)
        .sum();
  }

  @Test
  void aPipelineUsesThePoolAndLeavesNothingInIt() throws IOException {
    ServerAddress address = freeAddress();
    Path token = Files.writeString(directory.resolve("token"), SECRET);
    try (Transport transport = Transports.found().open("tcp");
        PoolServer server = start(transport, address)) {
      running = server;
      HELD.set(0);
      countRemainders(
          pipeline(
              "--runner=NemoRunner",
              "--optimizationPolicy=Disaggregation",
              "--memoryPool=" + address,
              "--memoryPoolTransport=tcp",
              "--memoryPoolTokenFile=" + token));
      assertThat(HELD.get()).isPositive();
      assertThat(server.status().usedBytes()).isZero();

      assertThatThrownBy(
              () ->
                  countRemainders(
                      pipeline(
                          "--runner=NemoRunner",
                          "--optimizationPolicy=Disaggregation",
                          "--memoryPool=" + address)))
          .isInstanceOf(InvalidPipelineException.class)
          .hasMessageContaining("memory pool " + address + " cannot be used")
          .hasMessageContaining("token");
    } finally {
      running = null;
    }
  }

  /** Texts that two joins have in common are shuffled once and read twice. */
  @Test
  void whatIsReadTwiceComesOnceFromThePoolWhereCopiesAreKept() throws IOException {
    ServerAddress address = freeAddress();
    Path token = Files.writeString(directory.resolve("token"), SECRET);
    try (Transport transport = Transports.found().open("tcp");
        PoolServer server = start(transport, address)) {
      String[] pool = {
        "--runner=NemoRunner",
        "--optimizationPolicy=Disaggregation",
        "--slots=1",
        "--memoryPool=" + address,
        "--memoryPoolTransport=tcp",
        "--memoryPoolTokenFile=" + token
      };
      PipelineResult without = joinTwice(pipeline(pool));
      assertThat(sum(without, "cacheHits") + sum(without, "cacheMisses")).isZero();
      assertThat(sum(without, "poolWrittenBytes")).isGreaterThan(TEXT_BYTES);
      assertThat(sum(without, "poolReadBytes")).isGreaterThan(2 * TEXT_BYTES);
      assertThat(sum(without, "overflowedBytes")).isZero();

      PipelineResult with =
          joinTwice(
              pipeline(Stream.concat(Stream.of(pool), Stream.of(CACHE)).toArray(String[]::new)));
      assertThat(sum(with, "cacheMisses")).isPositive();
      assertThat(sum(with, "cacheHitBytes")).isGreaterThan(TEXT_BYTES);
      assertThat(sum(with, "poolWrittenBytes")).isEqualTo(sum(without, "poolWrittenBytes"));
      assertThat(sum(with, "poolReadBytes")).isLessThan(sum(without, "poolReadBytes"));
      assertThat(server.status().usedBytes()).isZero();
    }
  }

  private static PipelineResult joinTwice(Pipeline pipeline) {
    PCollection<KV<Integer, String>> texts =
        pipeline
            .apply("texts", Create.of(IntStream.range(0, TEXTS).boxed().toList()))
            .apply(ParDo.of(new RandomTextFn()));
    for (int join = 1; join <= 2; join++) {
      PCollection<KV<Integer, String>> other =
          pipeline.apply("other " + join, Create.of(KV.of(5, "join " + join)));
      PCollection<KV<Integer, Long>> lengths =
          KeyedPCollectionTuple.of(TEXT, texts)
              .and(OTHER, other)
              .apply("join " + join, CoGroupByKey.create())
              .apply("lengths " + join, ParDo.of(new LengthsFn()));
      PAssert.that("all texts of join " + join, lengths)
          .satisfies(
              all -> {
                assertThat(all).hasSize(KEYS);
                long length = 0;
                for (KV<Integer, Long> one : all) {
                  length += one.getValue();
                }
                assertThat(length).isEqualTo(TEXTS * TEXT_LENGTH + 6L);
                return null;
              });
    }
    PipelineResult result = pipeline.run();
    result.waitUntilFinish();
    return result;
  }

  @Test
  void aPipelineUsesPersistentMemory() {
    String memory = "--persistentMemory=" + directory;
    assertThat(readFromFiles("--optimizationPolicy=Default", memory)).isPositive();
    assertThat(
            readFromFiles(
                "--optimizationPolicy=Disaggregation",
                "--passOptions=intermediateStore=persistent_memory",
                memory))
        .isZero();
  }

  /** How often consumers have read local files; what a policy stores elsewhere is not in them. */
  private static long readFromFiles(String... arguments) {
    PipelineResult result =
        countRemainders(
            pipeline(
                Stream.concat(
                        Stream.of("--runner=NemoRunner", "--persistentMemoryMb=16"),
                        Stream.of(arguments))
                    .toArray(String[]::new)));
    assertThat(sum(result, "storedBytes")).isPositive();
    return sum(result, "diskReads");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--optimizationPolicy=Disaggregation|REMOTE_MEMORY, which is not there|--memoryPool=",
        "--memoryPool=nowhere|--memoryPool=nowhere|host1:7070",
        "--memoryPoolTransport=tcp|--memoryPoolTransport=tcp|--memoryPool",
        "--memoryPoolCacheMb=5|--memoryPoolCacheMb=5|--memoryPool",
        "--memoryPool=h:1 --memoryPoolCacheMb=-1|--memoryPoolCacheMb=-1|at least 0",
        "--memoryPool=h:1 --memoryPoolCacheMb=2048|--memoryPoolCacheMb=2048|2047",
        "--memoryPool=h:1 --memoryPoolCacheSeconds=-1|--memoryPoolCacheSeconds=-1|at least 0",
        "--memoryPool=h:1 --memoryPoolTokenFile=/no/such|--memoryPoolTokenFile=/no/such|secret",
        "--persistentMemory=/no/such/directory|--persistentMemory=/no/such/directory|DAX",
        "--persistentMemoryMb=5|--persistentMemoryMb=5|--persistentMemory",
        "--persistentMemory=/tmp|--persistentMemoryMb=0|at least 1",
      })
  void badOptionsAreNamedBeforeAnythingRuns(String arguments, String names, String remedy) {
    assertThatThrownBy(
            () -> {
              Pipeline pipeline = pipeline(("--runner=NemoRunner " + arguments).split(" ", -1));
              pipeline.apply(Create.of(KV.of(1, 1))).apply(GroupByKey.create());
              pipeline.run();
            })
        .isInstanceOf(RuntimeException.class)
        .hasMessageContaining(names)
        .hasMessageContaining(remedy)
        .hasMessageNotContaining("\n");
  }

  private static final class RemainderFn extends DoFn<Integer, KV<Integer, Integer>> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(@Element Integer number, OutputReceiver<KV<Integer, Integer>> out) {
      out.output(KV.of(number % 7, number));
    }
  }

  private static final class RandomTextFn extends DoFn<Integer, KV<Integer, String>> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(@Element Integer number, OutputReceiver<KV<Integer, String>> out) {
      StringBuilder text = new StringBuilder();
      new Random(number).ints(TEXT_LENGTH, 'a', 'z' + 1).forEach(text::appendCodePoint);
      out.output(KV.of(number % KEYS, text.toString()));
    }
  }

  private static final class LengthsFn extends DoFn<KV<Integer, CoGbkResult>, KV<Integer, Long>> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(
        @Element KV<Integer, CoGbkResult> joined, OutputReceiver<KV<Integer, Long>> out) {
      long length = 0;
      for (TupleTag<String> tag : List.of(TEXT, OTHER)) {
        for (String text : joined.getValue().getAll(tag)) {
          length += text.length();
        }
      }
      out.output(KV.of(joined.getKey(), length));
    }
  }

  private static final class SizeFn
      extends DoFn<KV<Integer, Iterable<Integer>>, KV<Integer, Integer>> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(
        @Element KV<Integer, Iterable<Integer>> group, OutputReceiver<KV<Integer, Integer>> out) {
      PoolServer server = running;
      if (server != null) {
        HELD.accumulateAndGet(server.status().usedBytes(), Math::max);
      }
      int size = 0;
      for (int ignored : group.getValue()) {
        size++;
      }
      out.output(KV.of(group.getKey(), size));
    }
  }
}
