// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import java.io.Closeable;
import java.io.IOException;
import java.util.BitSet;
import java.util.regex.Pattern;

/** A block of another node that is being copied to a local store. Used by one thread. */
final class CopiedBlock implements Closeable {

  /** What needs no coding in a query, and is not a comma, with which the handler splits names. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

  private final BlockId id;
  private final String name;
  private final BitSet wanted;
  private final BlockStore scratch;
  private final BlockId copy;
  private BlockWriter writer;

  /**
   * A block of which nothing is here.
   *
   * @param wanted its partitions
   * @param copy names the copy
   * @throws IllegalArgumentException when nothing is wanted, or the last component of the block's
   *     path has other characters than letters, digits, dots, hyphens and underscores
   */
  CopiedBlock(BlockId id, BitSet wanted, BlockStore scratch, BlockId copy) {
    this.id = id;
    this.name = id.path().substring(id.path().lastIndexOf('/') + 1);
    this.wanted = wanted;
    this.scratch = scratch;
    this.copy = copy;
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a shuffle handler cannot be asked for "
              + name
              + ": it takes letters, digits, dots, hyphens and underscores");
    }
    if (wanted.isEmpty()) {
      throw new IllegalArgumentException("no partition of block " + id + " is wanted");
    }
  }

  BlockId id() {
    return id;
  }

  /** As the handler knows it. */
  String name() {
    return name;
  }

  BitSet wanted() {
    return wanted;
  }

  /** Takes the bytes, partition by partition. */
  BlockWriter writer() throws IOException {
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
  BlockReader finish() throws IOException {
    writer.commit();
    writer.close();
    try {
      BlockReader reader = scratch.open(copy, new ReadStatistics());
      try {
        scratch.delete(copy);
        return new FetchedBlock(id, reader);
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
