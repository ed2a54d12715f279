// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;

/** Fetches blocks of other nodes. Thread-safe. */
@FunctionalInterface
public interface RemoteBlocks {

  /**
   * Fetches partitions of a block whole, so that reading them cannot fail for the network's sake.
   * Tries once, and waits for no more than the node's answers.
   *
   * @param location where the block lies
   * @param wanted the partitions, none of which is empty; must not be modified
   * @param statistics counts what is asked of the other node, one read for each partition
   * @return a reader of these partitions, in which all others are empty, with the block's own id;
   *     it deletes what was fetched when it is closed
   * @throws java.io.InterruptedIOException when the thread is interrupted
   * @throws dev.anemone.runtime.transfer.fetch.ConsumerFaultException when it cannot be had or kept
   *     for a fault of this node
   * @throws dev.anemone.runtime.transfer.fetch.HostFailureException when the node does not hand it
   *     out now, and perhaps will soon
   * @throws IOException when the block is gone or damaged there; says from where, and why
   */
  BlockReader fetch(BlockLocation location, BlockId id, BitSet wanted, ReadStatistics statistics)
      throws IOException;

  /**
   * A block of which something is wanted.
   *
   * @param partitions none of which is empty; must not be modified
   */
  record Wanted(BlockId id, BitSet partitions) {}

  /** Takes what comes of blocks, each once, by their numbers in a list, from 0. */
  interface Arrivals {

    /**
     * A block is here.
     *
     * @param block as {@link #fetch} returns it; the receiver's from now on
     */
    void arrived(int number, BlockReader block);

    /** A block cannot be had: what {@link #fetch} would throw. */
    void failed(int number, IOException failure);

    /** A block was not asked for, as another one has failed for the node's or this node's sake. */
    void notTried(int number);
  }

  /**
   * Fetches several blocks of one node, as {@link #fetch} does each of them. Where the node fails,
   * or this one, one block fails for it and those that are left were not tried. What is wrong with
   * one block does not concern the others.
   */
  default void fetchAll(BlockLocation location, List<Wanted> blocks, Arrivals arrivals) {
    new OneByOne(this, location, arrivals).fetch(blocks, 0);
  }

  /**
   * Whether a node can be reached now. Waits for it as long as a fetch would.
   *
   * @return also false when this cannot be found out
   */
  default boolean reaches(BlockLocation location) {
    return false;
  }
}
