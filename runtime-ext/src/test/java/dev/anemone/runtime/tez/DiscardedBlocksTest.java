// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.DataPersistence;
import dev.anemone.ir.property.DataStore;
import dev.anemone.rdma.pool.client.CacheOptions;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.engine.StoreOptions;
import dev.anemone.runtime.spi.TaskContext;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import dev.anemone.runtime.testing.TestMemoryPool;
import dev.anemone.runtime.tez.client.TezEngine;
import dev.anemone.runtime.tez.job.JobScope;
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
import org.junit.jupiter.params.provider.EnumSource;

/** What has been read is deleted while the job goes on, and made again where it is missed. */
@Timeout(120)
class DiscardedBlocksTest {

  private static final int KEYS = 50;
  private static final int PARTS = 3;

  @TempDir static Path temp;

  private final AtomicLong firstShuffleBytes = new AtomicLong();
  private final AtomicInteger begun = new AtomicInteger();

  @BeforeEach
  void countProducersAndMeasure() {
    TestFunctions.HOOKS.put(
        "begin",
        (task, count) -> {
          if (count == 0) {
            begun.incrementAndGet();
          }
        });
    TestFunctions.HOOKS.put("middle", (task, count) -> {});
    TestFunctions.HOOKS.put("end", (task, count) -> {});
  }

  @AfterEach
  void forget() {
    TestFunctions.HOOKS.clear();
  }

  /** Sums by key, and the sums by key again: the second shuffle has far less than the first. */
  private static IRDag sums(DataStore store) {
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
      if (edge.pattern() == CommunicationPattern.SHUFFLE) {
        dag = dag.apply(new SetEdgeProperty(edge.id(), store));
        dag = dag.apply(new SetEdgeProperty(edge.id(), DataPersistence.DISCARD));
      }
    }
    return dag;
  }

  private static void assertSums(IRDag dag, StoreOptions stores, int slots)
      throws InterruptedException {
    JobResult result =
        TezEngine.of(
                new JobEngineOptions(slots, 4, 64L << 20, temp, new Deployment.InProcess(), stores))
            .submit(TestDags.job(dag))
            .await(Optional.of(Duration.ofSeconds(100)))
            .orElseThrow();
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
  }

  private static long usedBytes(TaskContext task, DataStore store) throws IOException {
    return JobScope.of(task.jobId(), null).dataPlane().stores().get(store).usedBytes();
  }

  /** From the middle on the first shuffle's bytes are known; its end waits until they are gone. */
  private void endWhenTheFirstShuffleIsGone(DataStore store, Runnable then) {
    AtomicInteger ended = new AtomicInteger();
    TestFunctions.HOOKS.put(
        "middle", (task, count) -> firstShuffleBytes.compareAndSet(0, usedBytes(task, store)));
    TestFunctions.HOOKS.put(
        "end",
        (task, count) -> {
          if (ended.compareAndSet(0, 1)) {
            while (usedBytes(task, store) > firstShuffleBytes.get() / 4) {
              Thread.onSpinWait();
            }
            then.run();
          }
        });
  }

  @ParameterizedTest
  @EnumSource(value = DataStore.class, mode = EnumSource.Mode.EXCLUDE, names = "SHARED_FILE_SYSTEM")
  void whatAllHaveReadIsDeletedBeforeTheJobEnds(DataStore store) throws Exception {
    endWhenTheFirstShuffleIsGone(store, () -> {});
    try (TestMemoryPool pool = TestMemoryPool.ofServers(1, 100)) {
      assertSums(sums(store), stores(pool), 2);
    }
    assertThat(firstShuffleBytes.get()).isPositive();
    assertThat(begun).hasValue(PARTS);
  }

  /** The consumers of the second shuffle miss it, its producers miss the first. */
  @Test
  void whatWasDeletedIsMadeAgainWhenALaterBlockIsLost() throws Exception {
    endWhenTheFirstShuffleIsGone(DataStore.LOCAL_FILE, DiscardedBlocksTest::deleteAllBlocks);
    // One slot, so that the second consumer has read nothing when the blocks are lost.
    assertSums(sums(DataStore.LOCAL_FILE), StoreOptions.NONE, 1);
    assertThat(begun).hasValue(2 * PARTS);
  }

  private static void deleteAllBlocks() {
    try (Stream<Path> files = Files.walk(temp)) {
      for (Path block : files.filter(file -> file.endsWith("file.out")).toList()) {
        Files.delete(block);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static StoreOptions stores(TestMemoryPool pool) throws IOException {
    Path token = Files.writeString(temp.resolve("token"), TestMemoryPool.SECRET);
    return new StoreOptions(
        Optional.of(
            new StoreOptions.RemoteMemory(
                pool.addresses(), Optional.of(token), Optional.of("tcp"), CacheOptions.NAMES)),
        Optional.of(new StoreOptions.PersistentMemory(temp, 16L << 20)));
  }
}
