package dev.anemone.runtime.tez;

import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.engine.EngineOptions;
import dev.anemone.runtime.memory.DirectMemory;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.store.LinkChargingStore;
import dev.anemone.runtime.store.LocalFileStore;
import dev.anemone.runtime.store.MemoryStore;
import dev.anemone.runtime.transfer.DataPlane;
import dev.anemone.runtime.transfer.TaskBudget;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The data planes of the jobs that run in this JVM. Jobs with the same amount of off-heap memory
 * share it; all share the directory of blocks. Thread-safe.
 */
final class LocalDataPlanes {

  /** Of the off-heap memory: what blocks may take that are kept in memory between stages. */
  private static final double STORE_SHARE = 0.25;

  private final LocalFileStore files;
  private final Map<Long, Memory> memories = new HashMap<>();

  /**
   * Off-heap memory and the blocks that are kept in it.
   *
   * @param pool the memory
   * @param store the blocks
   */
  private record Memory(PagePool pool, MemoryStore store) {}

  /** Data planes with their files below {@code root}, which is made when it is needed. */
  LocalDataPlanes(Path root) {
    this.files = new LocalFileStore(root);
  }

  /**
   * The data plane of a job.
   *
   * @throws IllegalArgumentException when the JVM may not have so much direct memory
   */
  DataPlane of(EngineOptions options, List<StagePlan> plans) {
    Memory memory = memory(options.offHeapBytes());
    long forTasks = (long) (options.offHeapBytes() * (1 - STORE_SHARE));
    int aggregations =
        plans.stream()
            .filter(StagePlan::isAggregation)
            .mapToInt(plan -> plan.stage().parallelism())
            .sum();
    // What pushes and what takes it need memory at the same time: one half for either side.
    long forAggregations = aggregations == 0 ? 0 : forTasks / 2;
    return new DataPlane(
        memory.pool(),
        TaskBudget.of(
            (forTasks - forAggregations) / options.slots(),
            aggregations == 0 ? 0 : forAggregations / aggregations),
        Map.of(
            DataStore.LOCAL_FILE,
            LinkChargingStore.asAsked(files),
            DataStore.MEMORY,
            memory.store()),
        InetAddress.getLoopbackAddress(),
        Optional.empty());
  }

  private synchronized Memory memory(long bytes) {
    return memories.computeIfAbsent(
        bytes,
        size -> {
          DirectMemory.requireAllowed(size);
          PagePool pool = new PagePool(size);
          return new Memory(pool, new MemoryStore(pool, (long) (size * STORE_SHARE), files));
        });
  }

  /** The name below which all blocks of a job lie. */
  static String prefix(String jobId) {
    return "job-" + jobId;
  }

  /** Deletes all blocks of a job that has ended. */
  void deleteBlocks(String jobId) throws IOException {
    List<Memory> all;
    synchronized (this) {
      all = List.copyOf(memories.values());
    }
    for (Memory memory : all) {
      memory.store().deleteAll(prefix(jobId) + "/");
    }
    files.deleteAll(prefix(jobId) + "/");
  }
}
