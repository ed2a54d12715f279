// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.fetch;

import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Fetches blocks in the background, for one task. Used by the task's thread. */
public interface BlockFetcher extends Closeable {

  /**
   * Begins to fetch blocks of one node. What comes of each goes into the task's feed, once, as
   * {@link InputEvent.Fetched}; what is known of the node is up to date by then.
   */
  void begin(BlockLocation location, List<InputEvent.Announced> blocks);

  /** Where all blocks lie here. */
  static BlockFetcher none() {
    return new BlockFetcher() {

      @Override
      public void begin(BlockLocation location, List<InputEvent.Announced> blocks) {
        throw new IllegalStateException("nothing can be fetched from " + location);
      }

      @Override
      public void close() {}
    };
  }

  /** Stops what is under way. Nothing goes into the feed any more after this. */
  @Override
  void close() throws IOException;
}
