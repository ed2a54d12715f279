// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * A producer's block, whose read errors tell that the block is lost, and so can be told from errors
 * of the consumer's own disk.
 */
final class SourceBlock implements BlockReader {

  private final BlockReader reader;

  private SourceBlock(BlockReader reader) {
    this.reader = reader;
  }

  /**
   * Opens the block of an announcement.
   *
   * @param wanted what will be read: partitions of the block that are not empty
   * @throws LostBlockException when it is not there, cannot be fetched, or its index cannot be read
   * @throws LocalCopyException when it was to be fetched, and this node cannot keep it
   */
  static SourceBlock open(
      DataPlane plane, BlockAnnouncement announcement, BitSet wanted, ReadStatistics statistics)
      throws IOException {
    try {
      return new SourceBlock(plane.open(announcement, wanted, statistics));
    } catch (InterruptedIOException | LocalCopyException e) {
      throw e;
    } catch (IOException e) {
      throw new LostBlockException(announcement.block().orElseThrow(), e);
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
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      throw new LostBlockException(reader.id(), e);
    }
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
