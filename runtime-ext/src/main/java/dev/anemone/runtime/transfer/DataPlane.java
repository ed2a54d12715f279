// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.SpillStore;
import dev.anemone.runtime.memory.MemoryLedger.JobMemory;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.OverflowingStore;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import dev.anemone.runtime.transfer.announcement.SourceFeed;
import dev.anemone.runtime.transfer.fetch.BlockFetcher;
import dev.anemone.runtime.transfer.fetch.FetchQueue;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import dev.anemone.runtime.transfer.fetch.FetchThreads;
import dev.anemone.runtime.transfer.fetch.HostLedger;
import java.io.IOException;
import java.net.InetAddress;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the tasks of a job share in one JVM to move data. Thread-safe.
 *
 * @param memory off-heap pages of the job
 * @param shares bytes of pages for each task when no other job runs
 * @param stores where blocks lie; {@link DataStore#LOCAL_FILE} is always there
 * @param pushInterface the network interface on which aggregation tasks take what is pushed
 * @param pushWires what producers and aggregation tasks of this JVM can speak; for the pool of
 *     {@code memory}
 * @param cluster how blocks of other nodes are reached; empty where all tasks of the job run in one
 *     JVM
 */
public record DataPlane(
    JobMemory memory,
    TaskBudget shares,
    Map<DataStore, BlockStore> stores,
    InetAddress pushInterface,
    PushWires pushWires,
    Optional<Cluster> cluster) {

  /**
   * The cluster as a node sees it.
   *
   * @param here where others find the blocks of this node
   * @param remote gets those of the others
   * @param hosts what was met with at these others
   * @param threads fetch from them
   */
  public record Cluster(
      BlockLocation here, RemoteBlocks remote, HostLedger hosts, FetchThreads threads) {

    public Cluster {
      Objects.requireNonNull(here, "here");
      Objects.requireNonNull(remote, "remote");
      Objects.requireNonNull(hosts, "hosts");
      Objects.requireNonNull(threads, "threads");
    }

    /** A cluster with threads of its own. */
    public Cluster(BlockLocation here, RemoteBlocks remote, HostLedger hosts) {
      this(here, remote, hosts, new FetchThreads(hosts.nodesAtOnce()));
    }
  }

  public DataPlane {
    Objects.requireNonNull(memory, "memory");
    Objects.requireNonNull(shares, "shares");
    Objects.requireNonNull(pushInterface, "pushInterface");
    Objects.requireNonNull(pushWires, "pushWires");
    Objects.requireNonNull(cluster, "cluster");
    stores = Map.copyOf(stores);
    if (!stores.containsKey(DataStore.LOCAL_FILE)) {
      throw new IllegalArgumentException("local files are needed, but there are only " + stores);
    }
  }

  /** The memory of an attempt, for its links or what it gathers. */
  TaskMemory memoryOf(TaskAttempt attempt) {
    return attempt.plan().isAggregation()
        ? memory.attempt(TaskBudget.LEAST_AGGREGATION_BYTES, shares.aggregationBytes())
        : memory.attempt(
            MemoryShares.leastBytes(attempt.plan()), shares.taskBytesOf(attempt.plan()));
  }

  BlockStore localFiles() {
    return store(DataStore.LOCAL_FILE);
  }

  /** Where what does not fit into the memory of a link goes. */
  BlockStore spills(Link link) {
    return store(
        here(link.property(SpillStore.class).map(SpillStore::store).orElse(DataStore.LOCAL_FILE)));
  }

  /** Where the blocks of a link go. */
  public DataStore storeOf(Link link) {
    return here(link.property(DataStore.class).orElse(DataStore.LOCAL_FILE));
  }

  /** A store, or local files where there is no such store. */
  private DataStore here(DataStore asked) {
    return stores.containsKey(asked) ? asked : DataStore.LOCAL_FILE;
  }

  BlockStore store(DataStore kind) {
    BlockStore store = stores.get(kind);
    if (store == null) {
      throw new IllegalArgumentException(
          "there is no store for " + kind + "; there are " + stores.keySet());
    }
    return store;
  }

  /**
   * Where a block that was committed lies: the store that was asked for, or local files, when the
   * pool of remote memory was full, or not there.
   */
  DataStore whereIs(BlockId id, DataStore asked) {
    return store(asked) instanceof OverflowingStore store && store.isOverflowed(id)
        ? DataStore.LOCAL_FILE
        : asked;
  }

  /** Where others find the blocks that tasks write here. */
  Optional<BlockLocation> here() {
    return cluster.map(Cluster::here);
  }

  /**
   * Opens the block of an announcement that lies here. The pool of remote memory is the same for
   * all nodes.
   *
   * @param ranges of the partitions that it will be asked about, in ascending order
   * @throws IOException also when it lies elsewhere, where nobody can fetch it from
   */
  BlockReader open(
      BlockAnnouncement announcement, List<HashRange> ranges, ReadStatistics statistics)
      throws IOException {
    BlockId id = announcement.block().orElseThrow();
    if (isElsewhere(announcement)) {
      throw new IOException(
          announcement
              .location()
              .map(location -> "block " + id + " lies on " + location + ", out of reach")
              .orElse("nobody knows on which node the block " + id + " lies"));
    }
    return store(announcement.store()).open(id, ranges, statistics);
  }

  private boolean isElsewhere(BlockAnnouncement announcement) {
    return announcement.store() != DataStore.REMOTE_MEMORY
        && !announcement.location().equals(here());
  }

  /**
   * The order in which an attempt reads what its producers announce.
   *
   * @param wanted the partitions of an announced block that are to be read, and are not empty
   */
  FetchQueue fetchQueue(
      SourceFeed feed, TaskAttempt attempt, Function<InputEvent.Announced, BitSet> wanted) {
    return new FetchQueue(
        feed,
        cluster.map(Cluster::hosts).orElseGet(() -> new HostLedger(FetchSettings.DEFAULT)),
        location -> cluster.map(of -> of.remote().reaches(location)).orElse(false),
        announced ->
            cluster
                .filter(of -> isElsewhere(announced.announcement()))
                .filter(of -> !wanted.apply(announced).isEmpty())
                .flatMap(of -> announced.announcement().location()),
        cluster
            .<BlockFetcher>map(of -> new BackgroundFetch(of, feed, wanted))
            .orElseGet(BlockFetcher::none),
        attempt.last());
  }
}
