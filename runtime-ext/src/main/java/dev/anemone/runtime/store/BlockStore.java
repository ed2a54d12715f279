// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

import java.io.IOException;

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
   * Deletes a block; does nothing when there is none. Open readers of it go on reading it. If it is
   * being written, its writer fails at the latest when it commits.
   */
  void delete(BlockId id) throws IOException;

  /** Bytes of all committed blocks. */
  long usedBytes() throws IOException;
}
