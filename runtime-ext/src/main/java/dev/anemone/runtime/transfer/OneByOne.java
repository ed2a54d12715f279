// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.transfer.RemoteBlocks.Arrivals;
import dev.anemone.runtime.transfer.RemoteBlocks.Wanted;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.fetch.ConsumerFaultException;
import dev.anemone.runtime.transfer.fetch.HostFailureException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;

/** Fetches blocks of one node one after the other, until the node fails, or this one. */
public final class OneByOne {

  private final RemoteBlocks remote;
  private final BlockLocation location;
  private final Arrivals arrivals;

  /** Fetches from a node. */
  public OneByOne(RemoteBlocks remote, BlockLocation location, Arrivals arrivals) {
    this.remote = remote;
    this.location = location;
    this.arrivals = arrivals;
  }

  /**
   * Fetches blocks.
   *
   * @param blocks their numbers are those in this list
   * @param first those before it are left out
   */
  public void fetch(List<Wanted> blocks, int first) {
    for (int number = first; number < blocks.size(); number++) {
      if (!fetch(number, blocks.get(number))) {
        for (int left = number + 1; left < blocks.size(); left++) {
          arrivals.notTried(left);
        }
        return;
      }
    }
  }

  /**
   * Fetches a block.
   *
   * @return whether others may be asked for
   */
  public boolean fetch(int number, Wanted wanted) {
    BlockReader block;
    try {
      block = remote.fetch(location, wanted.id(), wanted.partitions(), new ReadStatistics());
    } catch (IOException e) {
      arrivals.failed(number, e);
      return concernsOneBlock(e);
    }
    arrivals.arrived(number, block);
    return true;
  }

  /** Whether a failure says nothing of other blocks of the node. */
  public static boolean concernsOneBlock(IOException failure) {
    return !(failure instanceof HostFailureException
        || failure instanceof InterruptedIOException
        || ConsumerFaultException.isCauseOf(failure));
  }
}
