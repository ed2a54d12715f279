// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.local;

import dev.anemone.ir.property.DataStore;
import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.engine.StoreOptions;
import dev.anemone.runtime.memory.DirectMemory;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.PushWires;
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

/**
 * The data planes of the jobs that run in this JVM. Jobs with the same amount of off-heap memory
 * share it; all share the directory of blocks. Thread-safe.
 */
public final class LocalDataPlanes {

  /** Of the off-heap memory: what blocks may take that are kept in memory between stages. */
  private static final double STORE_SHARE = 0.25;

  private final LocalFileStore files;
  private final Map<Long, Memory> memories = new HashMap<>();
  private final Map<StoreOptions.RemoteMemory, RemoteMemoryPool> pools = new HashMap<>();
  private final Map<StoreOptions.PersistentMemory, PersistentMemoryStore> persistent =
      new HashMap<>();
  private final Map<Pushing, PushWires> wires = new HashMap<>();

  /**
   * Off-heap memory and the blocks that are kept in it.
   *
   * @param pool the memory
   * @param store the blocks
   */
  private record Memory(PagePool pool, MemoryStore store) {}

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

  /**
   * The data plane of a job.
   *
   * @throws IllegalArgumentException when the JVM may not have so much direct memory
   * @throws IOException when a store or the transport of push cannot be used; says which, and why
   */
  DataPlane of(JobEngineOptions options, List<StagePlan> plans) throws IOException {
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
        stores(options.stores(), memory),
        InetAddress.getLoopbackAddress(),
        wires(new Pushing(options.pushTransport(), memory.pool())),
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
        found = InstalledWires.open(pushing.transport(), pushing.pool());
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
    List<RemoteMemoryPool> allPools;
    List<PersistentMemoryStore> persistentStores;
    synchronized (this) {
      all = List.copyOf(memories.values());
      allPools = List.copyOf(pools.values());
      persistentStores = List.copyOf(persistent.values());
    }
    for (Memory memory : all) {
      memory.store().deleteAll(prefix(jobId) + "/");
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
