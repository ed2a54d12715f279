// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.SpillStore;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.client.CacheOptions;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.engine.InvalidJobException;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.engine.RunningJob;
import dev.anemone.runtime.engine.StoreOptions;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import dev.anemone.runtime.testing.TestMemoryPool;
import dev.anemone.runtime.tez.client.TezEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs whose data between stages lies in a pool of remote memory, or in persistent memory. */
@Timeout(120)
class StoresEngineTest {

  private static final int KEYS = 50;
  private static final int PARTS = 3;

  @TempDir static Path temp;

  @BeforeEach
  void hooksThatDoNothing() {
    TestFunctions.HOOKS.put("begin", (task, count) -> {});
    TestFunctions.HOOKS.put("middle", (task, count) -> {});
    TestFunctions.HOOKS.put("end", (task, count) -> {});
  }

  @AfterEach
  void forget() {
    TestFunctions.HOOKS.clear();
  }

  /** Sums by key, and the sums by key again, which are read by a third stage. */
  private static IRDag sums(DataStore store, boolean spills) {
    String lines =
        IntStream.range(0, 2_000)
            .mapToObj(i -> "k" + i % KEYS + "=1")
            .collect(Collectors.joining("\n"));
    IRDag dag =
        new TestDags()
            .source("read", lines, lines, lines)
            .operator("begin", TestFunctions.spec(TestFunctions.HOOK, "begin"), PARTS)
            .operator("sum", TestFunctions.SUM, 2)
            .operator("middle", TestFunctions.spec(TestFunctions.HOOK, "middle"), 2)
            .operator("again", TestFunctions.SUM, 2)
            .operator("end", TestFunctions.spec(TestFunctions.HOOK, "end"), 2)
            .operator("collect", TestFunctions.COLLECT, 2)
            .oneToOne("read", "begin")
            .grouped("begin", "sum", 2)
            .oneToOne("sum", "middle")
            .grouped("middle", "again", 2)
            .oneToOne("again", "end")
            .oneToOne("end", "collect")
            .build();
    for (IREdge edge : dag.edges()) {
      if (edge.pattern() != CommunicationPattern.SHUFFLE) {
        continue;
      }
      dag = dag.apply(new SetEdgeProperty(edge.id(), store));
      if (spills) {
        dag = dag.apply(new SetEdgeProperty(edge.id(), new SpillStore(store)));
      }
    }
    return dag;
  }

  private static RunningJob submit(IRDag dag, StoreOptions stores) {
    return submit(dag, stores, 2);
  }

  private static RunningJob submit(IRDag dag, StoreOptions stores, int slots) {
    return TezEngine.of(
            new JobEngineOptions(slots, 4, 64L << 20, temp, new Deployment.InProcess(), stores))
        .submit(TestDags.job(dag));
  }

  private static JobResult assertSums(RunningJob job) throws InterruptedException {
    JobResult result = job.await(Optional.of(Duration.ofSeconds(100))).orElseThrow();
    assertThat(result.failure()).isEmpty();
    assertThat(result.state()).isEqualTo(JobState.SUCCEEDED);
    List<String> lines =
        result.reports().stream()
            .flatMap(r -> Stream.of(new String(r.report(), StandardCharsets.UTF_8).split("\n")))
            .filter(line -> !line.isEmpty())
            .sorted()
            .toList();
    assertThat(lines)
        .containsExactlyElementsOf(
            IntStream.range(0, KEYS).mapToObj(key -> "k" + key + "=120").sorted().toList());
    return result;
  }

  private static long stored(JobResult result) {
    return result.edges().values().stream().mapToLong(edge -> edge.written().storedBytes()).sum();
  }

  /** Of all edges. */
  private static EdgeCounters.Pooled pooled(JobResult result) {
    return result.edges().values().stream().reduce(EdgeCounters.NONE, EdgeCounters::plus).pooled();
  }

  /** How many of the edges are read from local files. */
  private static long readFromFiles(JobResult result) {
    return result.edges().values().stream().filter(edge -> edge.disk().diskReads() > 0).count();
  }

  private static StoreOptions pool(List<ServerAddress> servers) {
    return new StoreOptions(
        Optional.of(
            new StoreOptions.RemoteMemory(
                servers, Optional.of(tokenFile()), Optional.of("tcp"), CacheOptions.NAMES)),
        Optional.empty());
  }

  private static Path tokenFile() {
    try {
      return Files.writeString(temp.resolve("token"), TestMemoryPool.SECRET);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void shufflesGoThroughThePoolAndLeaveNothing() throws Exception {
    try (TestMemoryPool pool = TestMemoryPool.ofServers(2, 100)) {
      AtomicLong used = new AtomicLong();
      TestFunctions.HOOKS.put("end", (task, count) -> used.set(pool.usedBytes()));
      JobResult result =
          assertSums(submit(sums(DataStore.REMOTE_MEMORY, true), pool(pool.addresses())));
      assertThat(readFromFiles(result)).isZero();
      assertThat(result.edges().values())
          .hasSize(2)
          .allSatisfy(
              edge -> {
                long stored = edge.written().storedBytes();
                assertThat(stored).isPositive();
                // Who reads is in the process that wrote, and needs no index.
                assertThat(edge.pooled()).isEqualTo(new EdgeCounters.Pooled(stored, 0, stored));
              });
      assertThat(used.get()).isPositive();
      assertThat(pool.usedBytes()).isZero();
    }
  }

  /** The producers are run again, and write to the server that is left. */
  @Test
  void aServerIsLostInTheMiddleOfAJob() throws Exception {
    try (TestMemoryPool pool = TestMemoryPool.ofServers(2, 100)) {
      TestFunctions.HOOKS.put("middle", (task, count) -> pool.stop(0));
      assertSums(submit(sums(DataStore.REMOTE_MEMORY, false), pool(pool.addresses())));
    }
  }

  /** The producers are run again, and write to local files, and so do those that come later. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theLastServerIsLostInTheMiddleOfAJob(boolean spills) throws Exception {
    try (TestMemoryPool pool = TestMemoryPool.ofServers(1, 200)) {
      AtomicInteger producers = new AtomicInteger();
      AtomicLong lost = new AtomicLong();
      TestFunctions.HOOKS.put(
          "begin",
          (task, count) -> {
            if (count == 0) {
              producers.incrementAndGet();
            }
          });
      TestFunctions.HOOKS.put(
          "middle",
          (task, count) -> {
            lost.accumulateAndGet(pool.usedBytes(), Math::max);
            pool.stop(0);
          });
      // One task after the other: the second consumer has read nothing when the server is lost.
      JobResult result =
          assertSums(submit(sums(DataStore.REMOTE_MEMORY, spills), pool(pool.addresses()), 1));
      assertThat(lost.get()).as("bytes on the server when it is lost").isPositive();
      assertThat(producers.get())
          .as("producers, with those that are run again")
          .isGreaterThan(PARTS);
      assertThat(readFromFiles(result)).as("edges whose blocks went to local files").isEqualTo(2);
      assertThat(result.edges().values())
          .extracting(EdgeCounters::pooled)
          .allSatisfy(pooled -> assertThat(pooled.overflowedBytes()).isPositive());
      assertThat(pooled(result).poolWrittenBytes() + pooled(result).overflowedBytes())
          .isEqualTo(stored(result));
    }
  }

  @Test
  void aPoolThatIsTooSmallIsNoError() throws Exception {
    try (TestMemoryPool pool = TestMemoryPool.ofServers(1, 1)) {
      assertSums(submit(sums(DataStore.REMOTE_MEMORY, true), pool(pool.addresses())));
      assertThat(pool.usedBytes()).isZero();
    }
  }

  @Test
  void whatFindsNoRoomInThePoolIsCountedApart() throws Exception {
    try (TestMemoryPool pool = TestMemoryPool.ofServers(1, 1)) {
      JobResult result =
          assertSums(submit(sums(DataStore.REMOTE_MEMORY, false), pool(pool.addresses())));

      EdgeCounters.Pooled pooled = pooled(result);
      assertThat(pooled.poolWrittenBytes()).isPositive();
      assertThat(pooled.overflowedBytes()).isPositive();
      assertThat(pooled.poolWrittenBytes() + pooled.overflowedBytes()).isEqualTo(stored(result));
      assertThat(pooled.poolReadBytes()).isEqualTo(pooled.poolWrittenBytes());
    }
  }

  @Test
  void persistentMemoryWorksTheSameWay() throws Exception {
    StoreOptions stores =
        new StoreOptions(
            Optional.empty(), Optional.of(new StoreOptions.PersistentMemory(temp, 16L << 20)));
    JobResult result = assertSums(submit(sums(DataStore.PERSISTENT_MEMORY, true), stores));
    assertThat(readFromFiles(result)).isZero();
    assertThat(stored(result)).isPositive();
    assertThat(pooled(result)).isEqualTo(EdgeCounters.Pooled.NONE);
  }

  @Test
  void aStoreThatIsNotThereIsRefusedWithARemedy() {
    assertThatThrownBy(() -> submit(sums(DataStore.REMOTE_MEMORY, false), StoreOptions.NONE))
        .isInstanceOf(InvalidJobException.class)
        .hasMessageContaining("edge ")
        .hasMessageContaining("REMOTE_MEMORY, which is not there")
        .hasMessageContaining("--memoryPool=");
    assertThatThrownBy(() -> submit(sums(DataStore.PERSISTENT_MEMORY, false), StoreOptions.NONE))
        .hasMessageContaining("--persistentMemory=");
  }

  @Test
  void aPoolThatDoesNotAnswerIsRefusedBeforeWorkStarts() {
    List<ServerAddress> nobody = List.of(new ServerAddress("127.0.0.1", 1));
    assertThatThrownBy(() -> submit(sums(DataStore.REMOTE_MEMORY, false), pool(nobody)))
        .isInstanceOf(InvalidJobException.class)
        .hasMessageContaining("memory pool 127.0.0.1:1 cannot be used");
  }
}
