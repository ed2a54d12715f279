// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.stage.Channel;
import java.util.Arrays;
import java.util.Set;

/**
 * Deals the records of some channels out in turn, each channel's by itself: what goes over others
 * may come in another order when the task runs again. Used by one thread.
 */
final class Turns implements Partitioning {

  private static final int NONE = -1;

  private final int[] nextByTag = new int[Channel.MAX_TAG + 1];
  private final int partitions;
  private final Partitioning others;

  /**
   * Turns that begin anew.
   *
   * @param tags of the channels
   * @param task index of the task, which says who is first
   * @param others partitions what other channels bring
   */
  Turns(Set<Integer> tags, int partitions, int task, Partitioning others) {
    this.partitions = partitions;
    this.others = others;
    Arrays.fill(nextByTag, NONE);
    tags.forEach(tag -> nextByTag[tag] = task % partitions);
  }

  @Override
  public int partition(ByteSink key, ByteSink value) {
    int tag = key.array()[0] & 0xff;
    int partition = nextByTag[tag];
    if (partition == NONE) {
      return others.partition(key, value);
    }
    nextByTag[tag] = partition + 1 == partitions ? 0 : partition + 1;
    return partition;
  }
}
