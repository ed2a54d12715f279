// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.local;

import dev.anemone.ir.property.DataStore;
import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.engine.StoreOptions;
import dev.anemone.runtime.memory.DirectMemory;
import dev.anemone.runtime.memory.MemoryLedger;
import dev.anemone.runtime.memory.MemoryLedger.JobMemory;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.wires.InstalledWires;
import dev.anemone.runtime.resource.CloseAll;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.StoreDecorator;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.store.paged.MemoryStore;
import dev.anemone.runtime.store.pmem.PersistentMemoryStore;
import dev.anemone.runtime.transfer.DataPlane;
import dev.anemone.runtime.transfer.TaskBudget;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data planes of the jobs that run in this JVM. All share its off-heap memory, which is as much
 * as the one wants that wants most, and the directory of blocks. Thread-safe.
 */
public final class LocalDataPlanes {

  /** Of the off-heap memory: what blocks may take that are kept in memory between stages. */
  private static final double STORE_SHARE = 0.25;

  private static final Logger LOG = LoggerFactory.getLogger(LocalDataPlanes.class);

  private final LocalFileStore files;
  private Optional<Memory> memory = Optional.empty();
  private boolean differenceSaid;
  private final Map<StoreOptions.RemoteMemory, RemoteMemoryPool> pools = new HashMap<>();
  private final Map<StoreOptions.PersistentMemory, PersistentMemoryStore> persistent =
      new HashMap<>();
  private final Map<Pushing, PushWires> wires = new HashMap<>();

  /**
   * Off-heap memory and the blocks that are kept in it.
   *
   * @param bytes of all pages
   * @param pool the memory
   * @param ledger divides among jobs what is not for blocks
   * @param store the blocks
   */
  private record Memory(long bytes, PagePool pool, MemoryLedger ledger, MemoryStore store) {

    Memory grown(long newBytes) {
      ledger.grow(newBytes, forTasks(newBytes));
      store.grow(newBytes - forTasks(newBytes));
      return new Memory(newBytes, pool, ledger, store);
    }
  }

  private static long forTasks(long offHeapBytes) {
    return (long) (offHeapBytes * (1 - STORE_SHARE));
  }

  /**
   * What moves what is pushed.
   *
   * @param transport its name
   * @param pool between whose pages
   */
  private record Pushing(String transport, PagePool pool) {}

  /** Data planes with their files below {@code root}, which is made when it is needed. */
  LocalDataPlanes(Path root) {
    this.files = new LocalFileStore(root);
  }

  /** What a job's tasks may have when no other job runs. */
  static TaskBudget budget(JobEngineOptions options, List<StagePlan> plans) {
    return TaskBudget.ofSlots(forTasks(options.offHeapBytes()), options.slots(), plans);
  }

  /**
   * Checks that there is what a job needs, before it runs.
   *
   * @throws IllegalArgumentException when its tasks have too little memory, or the JVM may not have
   *     so much direct memory
   * @throws IOException when a store or the transport of push cannot be used; says which, and why
   */
  void check(JobEngineOptions options, List<StagePlan> plans) throws IOException {
    plans.forEach(budget(options, plans)::requireEnough);
    Memory forJob = memory(options.offHeapBytes());
    stores(options.stores(), forJob);
    wires(new Pushing(options.transport().push(), forJob.pool()));
  }

  /**
   * The memory of a job. Waits while other jobs have what it needs at least.
   *
   * @return is closed when the job has ended
   */
  JobMemory admit(String job, JobEngineOptions options, List<StagePlan> plans)
      throws InterruptedException {
    MemoryLedger ledger = memory(options.offHeapBytes()).ledger();
    long least = leastBytes(options.slots(), plans);
    if (ledger.isShort(least)) {
      LOG.info("Job {} waits for {} bytes of off-heap memory, which other jobs have", job, least);
    }
    return ledger.admit(least);
  }

  /** What a job cannot do without: all aggregations run beside what runs in the slots. */
  private static long leastBytes(int slots, List<StagePlan> plans) {
    long aggregations = 0;
    long largest = 0;
    for (StagePlan plan : plans) {
      if (plan.isAggregation()) {
        aggregations += plan.stage().parallelism() * TaskBudget.leastBytes(plan);
      } else {
        largest = Math.max(largest, TaskBudget.leastBytes(plan));
      }
    }
    return aggregations + slots * largest;
  }

  /**
   * The data plane of a job.
   *
   * @param memory of the job
   */
  DataPlane of(JobMemory memory, JobEngineOptions options, List<StagePlan> plans)
      throws IOException {
    return new DataPlane(
        memory,
        budget(options, plans),
        stores(options.stores(), memory(options.offHeapBytes())),
        InetAddress.getLoopbackAddress(),
        wires(new Pushing(options.transport().push(), memory.pool())),
        Optional.empty());
  }

  private Map<DataStore, BlockStore> stores(StoreOptions options, Memory memory)
      throws IOException {
    Map<DataStore, BlockStore> stores = new EnumMap<>(DataStore.class);
    stores.put(DataStore.LOCAL_FILE, StoreDecorator.decorated(files));
    stores.put(DataStore.MEMORY, memory.store());
    if (options.remoteMemory().isPresent()) {
      stores.put(DataStore.REMOTE_MEMORY, pool(options.remoteMemory().get()).store());
    }
    if (options.persistentMemory().isPresent()) {
      stores.put(DataStore.PERSISTENT_MEMORY, persistent(options.persistentMemory().get()));
    }
    return stores;
  }

  /** The stores that a job with these options can use. */
  static Set<DataStore> kinds(StoreOptions options) {
    Set<DataStore> kinds = EnumSet.of(DataStore.LOCAL_FILE, DataStore.MEMORY);
    options.remoteMemory().ifPresent(pool -> kinds.add(DataStore.REMOTE_MEMORY));
    options.persistentMemory().ifPresent(memory -> kinds.add(DataStore.PERSISTENT_MEMORY));
    return kinds;
  }

  /** The connection to a pool, which is kept for later jobs. */
  public synchronized RemoteMemoryPool pool(StoreOptions.RemoteMemory options) throws IOException {
    RemoteMemoryPool pool = pools.get(options);
    if (pool == null) {
      pool = RemoteMemoryPool.connect(options, files);
      pools.put(options, pool);
    }
    return pool;
  }

  private synchronized PushWires wires(Pushing pushing) throws IOException {
    PushWires found = wires.get(pushing);
    if (found == null) {
      try {
        found = InstalledWires.open(pushing.transport(), pushing.pool(), JobSecret.random());
      } catch (TransportUnavailableException e) {
        throw new IOException(
            "what is pushed cannot go by " + pushing.transport() + ": " + e.getMessage(), e);
      }
      wires.put(pushing, found);
    }
    return found;
  }

  private synchronized PersistentMemoryStore persistent(StoreOptions.PersistentMemory options)
      throws IOException {
    PersistentMemoryStore store = persistent.get(options);
    if (store == null) {
      store =
          PersistentMemoryStore.open(
              persistentFile(options),
              options.bytes(),
              PersistentMemoryStore.DEFAULT_PAGE_BYTES,
              files);
      persistent.put(options, store);
    }
    return store;
  }

  /** The data between stages is of no use to a later process, so each has a file of its own. */
  private static Path persistentFile(StoreOptions.PersistentMemory options) {
    return options.directory().resolve("anemone-" + ProcessHandle.current().pid() + ".blocks");
  }

  /** Bytes of the pages that jobs have taken. */
  synchronized long usedBytes() {
    return memory.map(present -> present.pool().takenBytes()).orElse(0L);
  }

  /** The memory of this JVM, of which a job wants so much. */
  private synchronized Memory memory(long bytes) {
    if (memory.isEmpty()) {
      DirectMemory.requireAllowed(bytes);
      PagePool pool = new PagePool(bytes);
      memory =
          Optional.of(
              new Memory(
                  bytes,
                  pool,
                  new MemoryLedger(pool, forTasks(bytes)),
                  new MemoryStore(pool, bytes - forTasks(bytes), files)));
    }
    long present = memory.get().bytes();
    if (bytes > present) {
      DirectMemory.requireAllowed(bytes);
      memory = Optional.of(memory.get().grown(bytes));
    }
    if (bytes != present && !differenceSaid) {
      differenceSaid = true;
      LOG.warn(
          "Jobs of this JVM want {} and {} MB of off-heap memory; they share the larger of both",
          present >> 20,
          bytes >> 20);
    }
    return memory.get();
  }

  /** The name below which all blocks of a job lie. */
  static String prefix(String jobId) {
    return "job-" + jobId;
  }

  /** Deletes all blocks of a job that has ended. */
  void deleteBlocks(String jobId) throws IOException {
    Optional<Memory> ofJobs;
    List<RemoteMemoryPool> allPools;
    List<PersistentMemoryStore> persistentStores;
    synchronized (this) {
      ofJobs = memory;
      allPools = List.copyOf(pools.values());
      persistentStores = List.copyOf(persistent.values());
    }
    if (ofJobs.isPresent()) {
      ofJobs.get().store().deleteAll(prefix(jobId) + "/");
    }
    for (PersistentMemoryStore store : persistentStores) {
      store.deleteAll(prefix(jobId) + "/");
    }
    for (RemoteMemoryPool pool : allPools) {
      pool.store().deleteAll(prefix(jobId) + "/");
    }
    files.deleteAll(prefix(jobId) + "/");
  }

  /** Lets go of pools and of persistent memory, in which nothing is left. */
  synchronized void close() throws IOException {
    List<Closeable> all = new ArrayList<>(pools.values());
    persistent.forEach(
        (options, store) -> {
          all.add(store);
          all.add(() -> Files.deleteIfExists(persistentFile(options)));
        });
    wires.values().forEach(each -> all.add(each::close));
    pools.clear();
    persistent.clear();
    wires.clear();
    CloseAll.of(all);
  }
}
