// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

import dev.anemone.ir.partition.HashRange;
import java.io.IOException;
import java.util.List;

/**
 * Keeps blocks. Thread-safe. Every implementation passes {@code BlockStoreContract}, in this
 * module's tests.
 */
public interface BlockStore {

  /**
   * Begins a block. Until it is committed, nobody can read it; beginning it again replaces what an
   * abandoned writer left, or withdraws the block that was committed.
   *
   * @throws IllegalArgumentException when there are no partitions
   */
  BlockWriter create(BlockId id, int partitions, WriteOrder order) throws IOException;

  /**
   * Opens a committed block.
   *
   * @param statistics counts the reads
   * @throws java.nio.file.NoSuchFileException when there is no such block
   */
  BlockReader open(BlockId id, ReadStatistics statistics) throws IOException;

  /**
   * Opens a committed block to read a few of its partitions, which can be cheaper: what the store
   * has to read of the block's index then may be as little.
   *
   * @param ranges of the partitions that the reader and its index will be asked about, in ascending
   *     order, at least one
   * @param statistics counts the reads
   * @throws java.nio.file.NoSuchFileException when there is no such block
   */
  default BlockReader open(BlockId id, List<HashRange> ranges, ReadStatistics statistics)
      throws IOException {
    return open(id, statistics);
  }

  /**
   * Deletes a block; does nothing when there is none. Open readers of it go on reading it. If it is
   * being written, its writer fails at the latest when it commits.
   */
  void delete(BlockId id) throws IOException;

  /** Bytes of all committed blocks. */
  long usedBytes() throws IOException;
}
