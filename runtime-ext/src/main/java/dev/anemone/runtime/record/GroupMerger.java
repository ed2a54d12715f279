// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.record;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Merges several grouped readers into one by partition and key, so that the values of a key that
 * several producers wrote form one group. Equal keys of different readers must have equal
 * partitions, as those of links that are partitioned alike have. Used by one thread.
 */
public final class GroupMerger implements GroupReader {

  private final PriorityQueue<GroupReader> readers =
      new PriorityQueue<>(
          Comparator.comparingInt(GroupReader::partition)
              .thenComparing(GroupReader::key, ByteSlice::compare));
  private final ByteSink keyBytes = new ByteSink();
  private final ByteSlice key = new ByteSlice();
  private int partition;
  private GroupReader current;

  private GroupMerger() {}

  /** A reader of all that {@code readers} hold. */
  public static GroupReader merge(List<GroupReader> readers) throws IOException {
    if (readers.size() == 1) {
      return readers.get(0);
    }
    GroupMerger merger = new GroupMerger();
    for (GroupReader reader : readers) {
      if (reader.nextKey()) {
        merger.readers.add(reader);
      }
    }
    return merger;
  }

  @Override
  public boolean nextKey() throws IOException {
    if (current != null) {
      advance(current);
      while (takeReaderOfSameKey()) {
        advance(current);
      }
    }
    current = readers.poll();
    if (current == null) {
      return false;
    }
    partition = current.partition();
    ByteSlice smallest = current.key();
    keyBytes.reset();
    keyBytes.write(smallest.array(), smallest.start(), smallest.length());
    key.set(keyBytes.array(), 0, keyBytes.length());
    return true;
  }

  private void advance(GroupReader reader) throws IOException {
    if (reader.nextKey()) {
      readers.add(reader);
    }
  }

  private boolean takeReaderOfSameKey() {
    GroupReader next = readers.peek();
    if (next == null || ByteSlice.compare(next.key(), key) != 0) {
      return false;
    }
    current = readers.poll();
    return true;
  }

  @Override
  public int partition() {
    return partition;
  }

  @Override
  public ByteSlice key() {
    return key.rewind();
  }

  @Override
  public boolean nextValue() throws IOException {
    while (!current.nextValue()) {
      GroupReader exhausted = current;
      if (!takeReaderOfSameKey()) {
        return false;
      }
      advance(exhausted);
    }
    return true;
  }

  @Override
  public ByteSlice value() {
    return current.value();
  }
}
