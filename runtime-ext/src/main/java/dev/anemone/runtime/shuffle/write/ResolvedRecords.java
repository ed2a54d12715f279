// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.write;

import dev.anemone.runtime.shuffle.format.PartitionedRun;
import dev.anemone.runtime.shuffle.format.RecordFormat;
import dev.anemone.runtime.shuffle.sort.SortedRecords;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Sorted records, of which some are references to large ones; those come divided, as they are read.
 * Closing it does nothing. Used by one thread.
 */
final class ResolvedRecords implements PartitionedRun {

  private final SortedRecords sorted;
  private final LargeRecords large;

  /** The part of the current record, or null where that is no reference. */
  private ByteBuffer part;

  private int keyStart;
  private int valueLength;
  private int checksum;
  private long place;
  private long left;

  ResolvedRecords(SortedRecords sorted, LargeRecords large) {
    this.sorted = sorted;
    this.large = large;
  }

  @Override
  public boolean nextPartition() {
    return sorted.nextPartition();
  }

  @Override
  public int partition() {
    return sorted.partition();
  }

  @Override
  public boolean next() throws IOException {
    left = 0;
    part = null;
    if (!sorted.next()) {
      return false;
    }
    if (sorted.isReference()) {
      resolve();
    }
    return true;
  }

  private void resolve() throws IOException {
    int referenceAt = sorted.valueStart();
    place = sorted.buffer().getLong(referenceAt);
    checksum = sorted.buffer().getInt(referenceAt + Long.BYTES);
    valueLength = sorted.referencedValueLength();
    long size = RecordFormat.size(sorted.keyLength(), valueLength);
    keyStart = (int) (size - valueLength) - sorted.keyLength();
    left = size;
    part = large.first(place, size);
    took();
  }

  private void took() throws IOException {
    place += part.limit();
    left -= part.limit();
    if (left == 0) {
      large.check(checksum);
    }
  }

  @Override
  public boolean nextPart() throws IOException {
    if (left == 0) {
      return false;
    }
    part = large.next(place, left);
    took();
    return true;
  }

  @Override
  public long keyPrefix() {
    return sorted.keyPrefix();
  }

  @Override
  public ByteBuffer buffer() {
    return part == null ? sorted.buffer() : part;
  }

  @Override
  public int recordStart() {
    return part == null ? sorted.recordStart() : 0;
  }

  @Override
  public int keyStart() {
    return part == null ? sorted.keyStart() : keyStart;
  }

  @Override
  public int keyLength() {
    return sorted.keyLength();
  }

  @Override
  public int valueStart() {
    return keyStart() + keyLength();
  }

  @Override
  public int valueLength() {
    return part == null ? sorted.valueLength() : valueLength;
  }

  @Override
  public int recordEnd() {
    return part == null ? sorted.recordEnd() : part.limit();
  }

  @Override
  public void close() {}
}
