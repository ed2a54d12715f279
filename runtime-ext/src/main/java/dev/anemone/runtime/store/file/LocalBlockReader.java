// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.ReadStatistics;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Reads a block's data file through a channel of its own. */
final class LocalBlockReader implements BlockReader {

  private final BlockId id;
  private final BlockIndex index;
  private final BlockFile file;
  private final Path path;
  private final ReadStatistics statistics;

  LocalBlockReader(BlockId id, BlockIndex index, BlockFile file, ReadStatistics statistics) {
    this.id = id;
    this.index = index;
    this.file = file;
    this.path = file.path();
    this.statistics = statistics;
  }

  @Override
  public BlockId id() {
    return id;
  }

  @Override
  public BlockIndex index() {
    return index;
  }

  @Override
  public void read(int partition, long position, ByteBuffer target) throws IOException {
    int length = index.readable(id, partition, position, target.remaining());
    if (length == 0) {
      return;
    }
    long offset = index.offset(partition) + position;
    int limit = target.limit();
    target.limit(target.position() + length);
    try {
      file.read(target, offset);
    } catch (EOFException e) {
      throw new IOException(
          "block "
              + id
              + " is cut off in partition "
              + partition
              + ": its file ends at byte "
              + file.size()
              + ", the index says that the partition ends at byte "
              + (index.offset(partition) + index.storedLength(partition)),
          e);
    } finally {
      target.limit(limit);
    }
    statistics.count(path, offset, length);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
