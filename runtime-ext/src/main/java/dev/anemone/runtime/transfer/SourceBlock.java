// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.fetch.ConsumerFaultException;
import dev.anemone.runtime.transfer.fetch.FetchQueue;
import dev.anemone.runtime.transfer.fetch.FetchWay;
import dev.anemone.runtime.transfer.fetch.FetchedBlock;
import dev.anemone.runtime.transfer.fetch.HostFailureException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * A producer's block, whose read errors tell that the block is lost, and so can be told from errors
 * of the consumer's own disk, and from what its own node lacks.
 */
final class SourceBlock implements BlockReader {

  private final BlockReader reader;

  private SourceBlock(BlockReader reader) {
    this.reader = reader;
  }

  /**
   * Tells the partitions of other nodes apart in statistics: a request for any of them is a seek.
   */
  private record RemotePartition(BlockId id, int partition) {}

  /**
   * Opens the block of an announcement, or takes what was fetched of it.
   *
   * @param queue has given the announcement last
   * @param within ranges of partitions that the block and its index will be asked about, in
   *     ascending order
   * @param wanted those of them that are not empty
   * @throws LostBlockException when it is not there, or its index cannot be read
   * @throws HostFailureException when its node does not hand it out now, and perhaps will soon
   * @throws ConsumerFaultException when this node is to blame
   */
  static SourceBlock open(
      DataPlane plane,
      FetchQueue queue,
      BlockAnnouncement announcement,
      List<HashRange> within,
      BitSet wanted,
      ReadStatistics statistics)
      throws IOException {
    try {
      Optional<BlockReader> fetched = queue.fetched();
      if (fetched.isEmpty()) {
        return new SourceBlock(plane.open(announcement, within, statistics));
      }
      BlockReader block = fetched.get();
      long bytes = 0;
      for (int p = wanted.nextSetBit(0); p >= 0; p = wanted.nextSetBit(p + 1)) {
        long length = block.index().storedLength(p);
        statistics.count(new RemotePartition(block.id(), p), 0, length);
        bytes += length;
      }
      statistics.countFetched(
          bytes, block instanceof FetchedBlock of && of.way() == FetchWay.TRANSPORT);
      return new SourceBlock(block);
    } catch (HostFailureException e) {
      throw e;
    } catch (IOException e) {
      throw failure(announcement.block().orElseThrow(), e);
    }
  }

  @Override
  public BlockId id() {
    return reader.id();
  }

  @Override
  public BlockIndex index() {
    return reader.index();
  }

  @Override
  public void read(int partition, long position, ByteBuffer target) throws IOException {
    try {
      reader.read(partition, position, target);
    } catch (IOException e) {
      throw failure(reader.id(), e);
    }
  }

  private static IOException failure(BlockId block, IOException cause) {
    if (cause instanceof InterruptedIOException || cause instanceof ConsumerFaultException) {
      return cause;
    }
    return ConsumerFaultException.isCauseOf(cause)
        ? ConsumerFaultException.reading(block, cause)
        : new LostBlockException(block, cause);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
