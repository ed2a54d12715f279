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
import dev.anemone.runtime.transfer.announcement.SourceFeed;
import dev.anemone.runtime.transfer.fetch.ConsumerFaultException;
import dev.anemone.runtime.transfer.fetch.FetchQueue;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import dev.anemone.runtime.transfer.fetch.HostFailureException;
import dev.anemone.runtime.transfer.fetch.HostLedger;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.util.BitSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

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
   */
  public record Cluster(BlockLocation here, RemoteBlocks remote, HostLedger hosts) {

    public Cluster {
      Objects.requireNonNull(here, "here");
      Objects.requireNonNull(remote, "remote");
      Objects.requireNonNull(hosts, "hosts");
    }

    /** Fetches from another node, and remembers how that went. */
    BlockReader fetch(BlockLocation location, BlockId id, BitSet wanted, ReadStatistics statistics)
        throws IOException {
      long began = System.nanoTime();
      try {
        BlockReader block = remote.fetch(location, id, wanted, statistics);
        hosts.answered(location);
        return block;
      } catch (HostFailureException e) {
        hosts.failed(location, began, e.answered());
        throw e;
      } catch (InterruptedIOException | ConsumerFaultException e) {
        throw e;
      } catch (IOException e) {
        hosts.answered(location);
        throw e;
      }
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
        : memory.attempt(MemoryShares.leastBytes(attempt.plan()), shares.taskBytes());
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
   * Opens the block of an announcement, or fetches what is wanted of it when it lies on another
   * node. The pool of remote memory is the same for all nodes.
   *
   * @param wanted partitions of the block that are not empty
   */
  BlockReader open(BlockAnnouncement announcement, BitSet wanted, ReadStatistics statistics)
      throws IOException {
    BlockId id = announcement.block().orElseThrow();
    if (!isElsewhere(announcement)) {
      return store(announcement.store()).open(id, statistics);
    }
    BlockLocation location =
        announcement
            .location()
            .orElseThrow(
                () -> new IOException("nobody knows on which node the block " + id + " lies"));
    return cluster
        .orElseThrow(
            () -> new IOException("block " + id + " lies on " + location + ", out of reach"))
        .fetch(location, id, wanted, statistics);
  }

  private boolean isElsewhere(BlockAnnouncement announcement) {
    return announcement.store() != DataStore.REMOTE_MEMORY
        && !announcement.location().equals(here());
  }

  /**
   * The order in which an attempt reads what its producers announce.
   *
   * @param wanted whether something of an announced block is to be read
   */
  FetchQueue fetchQueue(SourceFeed feed, TaskAttempt attempt, Predicate<BlockAnnouncement> wanted) {
    return new FetchQueue(
        feed,
        cluster.map(Cluster::hosts).orElseGet(() -> new HostLedger(FetchSettings.DEFAULT)),
        location -> cluster.map(of -> of.remote().reaches(location)).orElse(false),
        announced ->
            Optional.of(announced.announcement())
                .filter(announcement -> isElsewhere(announcement) && wanted.test(announcement))
                .flatMap(BlockAnnouncement::location),
        attempt.last());
  }

  /** The partitions of an announced block that lie in these ranges and are not empty. */
  static BitSet filled(BlockAnnouncement announcement, Iterable<HashRange> ranges) {
    BitSet filled = new BitSet();
    for (HashRange range : ranges) {
      filled.set(range.from(), range.to());
    }
    filled.and(announcement.partitions());
    return filled;
  }
}
