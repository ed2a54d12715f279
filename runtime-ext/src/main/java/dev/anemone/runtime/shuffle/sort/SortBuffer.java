// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.sort;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.format.RecordFormat;
import java.io.Closeable;
import java.nio.ByteBuffer;

/**
 * Records on their way out, encoded once and then only pointed to, and sorted by partition and,
 * where wanted, by key. All of it lies in pages of the task's memory, apart from the 0.5 MB of heap
 * that sorting takes at most. Sorting pointers with a prefix of the key beside them is AlphaSort's
 * idea (Nyberg et al., 1994); a single number for partition and prefix is that of Spark's shuffle.
 * Used by one thread.
 */
public final class SortBuffer implements Closeable {

  /** The least pages with which it works: one for records and one for what is sorted. */
  public static final int LEAST_PAGES = 2;

  /** The most bytes of the lengths before a key. */
  private static final int MOST_LENGTHS_BYTES = 10;

  /** Where one entry in so many has a word that is not enough, more of the keys is looked up. */
  private static final int MANY_TIES = 8;

  private final int partitions;
  private final boolean sorted;
  private final int partitionShift;
  private final PageStock stock;
  private final RecordPages records = new RecordPages();
  private final SortEntries entries = new SortEntries();
  private final EntrySorter sorter = new EntrySorter(records);
  private final GroupHeads heads = new GroupHeads(entries);
  private final SortedRecords sortedRecords = new SortedRecords(this, records, heads);

  /**
   * An empty buffer.
   *
   * @param memory where pages come from, as many as there are; they are kept until {@link #close}
   * @param partitions number of partitions, at least one
   * @param sorted whether the records of a partition are sorted by key; else they keep their order
   */
  public SortBuffer(TaskMemory memory, int partitions, boolean sorted) {
    this.partitions = partitions;
    this.sorted = sorted;
    this.partitionShift = Integer.numberOfLeadingZeros(partitions - 1) + Integer.SIZE;
    this.stock = new PageStock(memory, "sorting the output of a task", LEAST_PAGES);
  }

  /** Whether a record of this encoded size is too large for any buffer. */
  public static boolean isJumbo(long size) {
    return size > PagePool.PAGE_BYTES;
  }

  /**
   * Adds a record; copies it.
   *
   * @param size the encoded size of the record, which is not {@link #isJumbo}
   * @return whether there was memory for it; if not, the buffer must be sorted, read and cleared
   * @throws dev.anemone.runtime.memory.MemoryExhaustedException when the buffer is empty and cannot
   *     get the least of memory
   */
  public boolean add(
      int partition, byte[] key, int keyLength, byte[] value, int valueLength, int size)
      throws InterruptedException {
    if (!(records.hasRoom(size) && entries.hasRoom()) && !makeRoom(size)) {
      return false;
    }
    int pointer = records.append(key, keyLength, value, valueLength, size);
    entries.add(word(partition, key, keyLength), pointer);
    return true;
  }

  /**
   * Whether a reference to a record that lies elsewhere can be added; if not, the buffer must be
   * sorted, read and cleared.
   *
   * @param keyLength of up to half a page
   */
  public boolean hasRoomForReference(int keyLength) throws InterruptedException {
    int size = MOST_LENGTHS_BYTES + keyLength + RecordPages.REFERENCE_BYTES;
    return (records.hasRoom(size) && entries.hasRoom()) || makeRoom(size);
  }

  /**
   * Adds a reference to a record, which is sorted as the record would be; there must be room.
   *
   * @param place where the record lies
   * @param checksum of the record
   */
  public void addReference(
      int partition, byte[] key, int keyLength, int valueLength, long place, int checksum) {
    int pointer = records.appendReference(key, keyLength, valueLength, place, checksum);
    entries.add(word(partition, key, keyLength), pointer);
  }

  private boolean makeRoom(int size) throws InterruptedException {
    if (!entries.hasRoom()) {
      ByteBuffer page = entries.isFull() ? null : stock.tryTake();
      if (page == null) {
        return false;
      }
      entries.addPage(page);
    }
    if (!records.hasRoom(size)) {
      ByteBuffer page = records.isFull() ? null : stock.tryTake();
      if (page == null) {
        return false;
      }
      records.addPage(page);
    }
    return true;
  }

  /** Bits of the partition, as few as needed, and behind them the first bits of the key. */
  private long word(int partition, byte[] key, int keyLength) {
    long prefix = sorted ? RecordFormat.prefix(key, keyLength) : 0;
    return partitionShift == Long.SIZE
        ? prefix
        : ((long) partition << partitionShift) | (prefix >>> (Long.SIZE - partitionShift));
  }

  /** The partition that a word begins with. */
  int partitionOf(long word) {
    return partitionShift == Long.SIZE ? 0 : (int) (word >>> partitionShift);
  }

  int partitions() {
    return partitions;
  }

  /** Number of records. */
  public int size() {
    return entries.size();
  }

  /**
   * Sorts what is there; nothing may be added until {@link #clear}. What it gives is the same each
   * time, and read anew.
   */
  public SortedRecords sort() {
    int covered = partitionShift / Byte.SIZE;
    int ties = 0;
    for (int group = 0; group < entries.groups(); group++) {
      if (sorted) {
        ties += sorter.sort(entries, group, covered);
      } else {
        sorter.sortByWords(entries, group);
      }
    }
    boolean keysAtHand = ties > entries.size() / MANY_TIES;
    heads.start(sorted ? records : null, covered, keysAtHand);
    sortedRecords.start();
    return sortedRecords;
  }

  /** Forgets all records; keeps the pages. */
  public void clear() {
    records.removeAll(stock);
    entries.removeAll(stock);
  }

  /** Forgets all records, and gives the pages back. */
  @Override
  public void close() {
    clear();
    stock.close();
  }
}
