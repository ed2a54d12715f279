// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.fetch;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import java.io.Closeable;
import java.io.IOException;
import java.util.BitSet;

/**
 * A block of another node that is being copied to a local store. The copy is deleted from the store
 * as soon as its reader has it open, so that a process that dies leaves nothing; the space is free
 * when the reader is closed. Used by one thread.
 */
public final class CopiedBlock implements Closeable {

  private final BlockId id;
  private final BitSet wanted;
  private final BlockStore scratch;
  private final BlockId copy;
  private BlockWriter writer;

  /**
   * A block of which nothing is here.
   *
   * @param wanted its partitions
   * @param copy names the copy
   * @throws IllegalArgumentException when nothing is wanted
   */
  CopiedBlock(BlockId id, BitSet wanted, BlockStore scratch, BlockId copy) {
    this.id = id;
    this.wanted = wanted;
    this.scratch = scratch;
    this.copy = copy;
    if (wanted.isEmpty()) {
      throw new IllegalArgumentException("no partition of block " + id + " is wanted");
    }
  }

  /** Of the original. */
  public BlockId id() {
    return id;
  }

  /** Its partitions that are wanted; must not be modified. */
  public BitSet wanted() {
    return wanted;
  }

  /**
   * Takes the bytes, partition by partition.
   *
   * @throws ConsumerFaultException when nothing can be kept here; of the writer's methods, too
   */
  public BlockWriter writer() throws IOException {
    if (writer == null) {
      try {
        writer = new LocalCopy(id, scratch.create(copy, wanted.length(), WriteOrder.BY_PARTITION));
      } catch (IOException e) {
        throw LocalCopy.failure(id, e);
      }
    }
    return writer;
  }

  /** What was copied, complete; it is gone when the reader is closed. */
  public BlockReader finish(FetchWay way) throws IOException {
    writer.commit();
    writer.close();
    try {
      BlockReader reader = scratch.open(copy, new ReadStatistics());
      try {
        scratch.delete(copy);
        return new FetchedBlock(id, reader, way);
      } catch (IOException e) {
        try (reader) {
          throw e;
        }
      }
    } catch (IOException e) {
      throw LocalCopy.failure(id, e);
    }
  }

  /** Deletes what was copied, unless it is finished. */
  @Override
  public void close() throws IOException {
    if (writer != null) {
      writer.close();
    }
  }
}
