// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A store on a disk that fails: the operation of a given number, and all after it. */
public record FailingStore(BlockStore store, FailureCountdown countdown) implements BlockStore {

  /** Counts operations down to the first that fails. */
  public static final class FailureCountdown {

    private long left;

    public FailureCountdown(long operations) {
      this.left = operations;
    }

    public void operate() throws IOException {
      if (left-- <= 0) {
        throw new IOException("the disk is gone");
      }
    }

    public boolean hasFailed() {
      return left < 0;
    }
  }

  @Override
  public BlockWriter create(BlockId id, int partitions, WriteOrder order) throws IOException {
    countdown.operate();
    BlockWriter block = store.create(id, partitions, order);
    return new BlockWriter() {

      @Override
      public void append(int partition, ByteBuffer bytes, long rawBytes) throws IOException {
        countdown.operate();
        block.append(partition, bytes, rawBytes);
      }

      @Override
      public BlockIndex commit() throws IOException {
        countdown.operate();
        return block.commit();
      }

      @Override
      public void close() throws IOException {
        block.close();
      }
    };
  }

  @Override
  public BlockReader open(BlockId id, ReadStatistics statistics) throws IOException {
    countdown.operate();
    BlockReader block = store.open(id, statistics);
    return new BlockReader() {

      @Override
      public BlockId id() {
        return block.id();
      }

      @Override
      public BlockIndex index() {
        return block.index();
      }

      @Override
      public void read(int partition, long position, ByteBuffer target) throws IOException {
        countdown.operate();
        block.read(partition, position, target);
      }

      @Override
      public void close() throws IOException {
        block.close();
      }
    };
  }

  @Override
  public void delete(BlockId id) throws IOException {
    store.delete(id);
  }

  @Override
  public long usedBytes() throws IOException {
    return store.usedBytes();
  }
}
