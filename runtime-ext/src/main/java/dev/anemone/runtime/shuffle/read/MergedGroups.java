// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.read;

import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.record.GroupReader;
import dev.anemone.runtime.shuffle.format.PartitionedRun;
import dev.anemone.runtime.shuffle.format.RecordFormat;
import dev.anemone.runtime.shuffle.merge.CopiedBytes;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The records of a run as groups of one key each, partition by partition. Used by one thread. */
final class MergedGroups implements GroupReader {

  private final PartitionedRun sorted;
  private final FetchStatistics statistics;
  private final CopiedBytes key = new CopiedBytes();
  private final CopiedBytes value = new CopiedBytes();

  /** The group's key once more, where it can be compared with those of the run. */
  private ByteBuffer comparableKey = ByteBuffer.allocateDirect(256);

  private long keyPrefix;
  private Position position = Position.BETWEEN_PARTITIONS;

  /** Where the sorted run stands. */
  private enum Position {
    /** Before the first partition, or behind the last record of one. */
    BETWEEN_PARTITIONS,
    /** On the group's first record, which was not read. */
    FIRST_OF_GROUP,
    /** On a record of the group that was read. */
    IN_GROUP,
    /** On the first record of the next group. */
    NEXT_GROUP,
    BEHIND_ALL
  }

  /** A reader of a run, which remains the caller's. */
  MergedGroups(PartitionedRun sorted, FetchStatistics statistics) {
    this.sorted = sorted;
    this.statistics = statistics;
  }

  @Override
  public boolean nextKey() throws IOException {
    while (moveInGroup()) {
      statistics.countRecord();
    }
    while (position == Position.BETWEEN_PARTITIONS) {
      if (!sorted.nextPartition()) {
        position = Position.BEHIND_ALL;
      } else if (sorted.next()) {
        position = Position.NEXT_GROUP;
      }
    }
    if (position == Position.BEHIND_ALL) {
      return false;
    }
    takeKey();
    position = Position.FIRST_OF_GROUP;
    return true;
  }

  @Override
  public boolean nextValue() throws IOException {
    if (!moveInGroup()) {
      return false;
    }
    value.copyValue(sorted);
    statistics.countRecord();
    return true;
  }

  /** Moves to the next record of the group, and says whether there is one. */
  private boolean moveInGroup() throws IOException {
    switch (position) {
      case FIRST_OF_GROUP -> position = Position.IN_GROUP;
      case IN_GROUP -> {
        if (!sorted.next()) {
          position = Position.BETWEEN_PARTITIONS;
        } else if (!isOfGroup()) {
          position = Position.NEXT_GROUP;
        }
      }
      default -> {
        return false;
      }
    }
    return position == Position.IN_GROUP;
  }

  private void takeKey() {
    int length = sorted.keyLength();
    key.copy(sorted.buffer(), sorted.keyStart(), length);
    keyPrefix = sorted.keyPrefix();
    if (length > comparableKey.capacity()) {
      comparableKey = ByteBuffer.allocateDirect(length + (length >>> 1));
    }
    comparableKey.put(0, key.array(), 0, length);
  }

  private boolean isOfGroup() {
    int length = key.length();
    if (sorted.keyPrefix() != keyPrefix || sorted.keyLength() != length) {
      return false;
    }
    int behind = Math.min(length, Long.BYTES);
    return RecordFormat.compare(
            sorted.buffer(),
            sorted.keyStart() + behind,
            length - behind,
            comparableKey,
            behind,
            length - behind)
        == 0;
  }

  @Override
  public int partition() {
    return sorted.partition();
  }

  @Override
  public ByteSlice key() {
    return key.sliceFrom(0);
  }

  @Override
  public ByteSlice value() {
    return value.sliceFrom(0);
  }
}
