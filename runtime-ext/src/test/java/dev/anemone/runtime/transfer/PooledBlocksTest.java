// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.DataStore;
import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.runtime.memory.MemoryLedger;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.wires.InstalledWires;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.store.remote.RemoteMemoryStore;
import dev.anemone.runtime.testing.TestMemoryPool;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import dev.anemone.runtime.transfer.fetch.HostLedger;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks that nodes of a cluster keep in a pool of remote memory, as far as it has room. */
class PooledBlocksTest {

  private static final BlockId SMALL = new BlockId("attempt_0");
  private static final BlockId LARGE = new BlockId("attempt_1");
  private static final List<HashRange> ONLY_PARTITION = List.of(new HashRange(0, 1));
  private static final int PAGES = 3;

  @TempDir private Path directory;

  @Test
  void otherNodesReadFromThePoolAndAreToldWhatIsNotThere() throws IOException {
    try (TestMemoryPool pool = TestMemoryPool.ofServers(1, PAGES);
        PoolClient writer = pool.client();
        PoolClient reader = pool.client()) {
      DataPlane here = plane("node-1", writer);
      DataPlane there = plane("node-2", reader);

      BlockAnnouncement small = announce(here, SMALL, 100);
      BlockAnnouncement large = announce(here, LARGE, PAGES * TestMemoryPool.PAGE_BYTES);

      assertThat(small.store()).isEqualTo(DataStore.REMOTE_MEMORY);
      try (BlockReader block = there.open(small, ONLY_PARTITION, new ReadStatistics())) {
        assertThat(block.index().storedBytes()).isEqualTo(100);
      }
      assertThat(large.store()).isEqualTo(DataStore.LOCAL_FILE);
      try (BlockReader block = here.open(large, ONLY_PARTITION, new ReadStatistics())) {
        assertThat(block.index().storedBytes()).isEqualTo(PAGES * TestMemoryPool.PAGE_BYTES);
      }
      assertThat(opened(there, large)).contains("lies on node-1:1, out of reach");
    }
  }

  @Test
  void blocksThatAreBegunWhenThePoolIsLostStayHere() throws IOException {
    try (TestMemoryPool pool = TestMemoryPool.ofServers(1, PAGES);
        PoolClient writer = pool.client()) {
      DataPlane here = plane("node-1", writer);
      BlockAnnouncement lost = announce(here, SMALL, 100);

      pool.stop(0);
      BlockAnnouncement kept = announce(here, LARGE, 200);

      assertThat(kept.store()).isEqualTo(DataStore.LOCAL_FILE);
      try (BlockReader block = here.open(kept, ONLY_PARTITION, new ReadStatistics())) {
        assertThat(block.index().storedBytes()).isEqualTo(200);
      }
      assertThat(lost.store()).isEqualTo(DataStore.REMOTE_MEMORY);
    }
  }

  private DataPlane plane(String node, PoolClient client) throws IOException {
    BlockStore files = new LocalFileStore(directory.resolve(node));
    BlockStore remote =
        new RemoteMemoryStore(client, PoolPath.of("/blocks"), Lifetime.LEASE, files);
    return new DataPlane(
        MemoryLedger.ofOneJob(new PagePool(PagePool.PAGE_BYTES), PagePool.PAGE_BYTES),
        TaskBudget.of(PagePool.PAGE_BYTES, PagePool.PAGE_BYTES),
        Map.of(DataStore.LOCAL_FILE, files, DataStore.REMOTE_MEMORY, remote),
        InetAddress.getLoopbackAddress(),
        InstalledWires.netty(JobSecret.random()),
        Optional.of(
            new DataPlane.Cluster(
                new BlockLocation(node, 1),
                (location, id, wanted, statistics) -> {
                  throw new IOException(location.host());
                },
                new HostLedger(FetchSettings.DEFAULT))));
  }

  private static BlockAnnouncement announce(DataPlane plane, BlockId id, int bytes)
      throws IOException {
    try (BlockWriter block =
        plane.store(DataStore.REMOTE_MEMORY).create(id, 1, WriteOrder.BY_PARTITION)) {
      block.append(0, ByteBuffer.allocateDirect(bytes), bytes);
      block.commit();
    }
    BitSet partitions = new BitSet();
    partitions.set(0);
    return BlockAnnouncement.ofBlock(
        new Producer(0, 0),
        id,
        plane.whereIs(id, DataStore.REMOTE_MEMORY),
        plane.here(),
        partitions,
        true,
        0);
  }

  /** What comes of opening a block that lies on another node. */
  private static String opened(DataPlane plane, BlockAnnouncement announcement) {
    try (BlockReader block = plane.open(announcement, ONLY_PARTITION, new ReadStatistics())) {
      return "read: " + block;
    } catch (IOException e) {
      return e.getMessage();
    }
  }
}
