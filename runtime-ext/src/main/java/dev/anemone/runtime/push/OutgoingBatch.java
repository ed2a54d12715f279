// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.protocol.PushProtocol;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A batch on its way to a target. The sender's thread fills it and has its pages; the network reads
 * them until it says that it has released the batch. After that, and when its bytes are settled, it
 * is used again for other bytes.
 */
public final class OutgoingBatch {

  private static final int FIRST_ENTRIES = 16;

  /** Takes entries, or parts of them one after the other, of which the first has the raw bytes. */
  @FunctionalInterface
  interface EntrySink {
    void append(int partition, ByteBuffer bytes, long rawBytes) throws IOException;
  }

  /** Writes batches to the network, all in one thread. */
  public interface Carrier {

    /** Begins to write a batch. */
    void carry(OutgoingBatch batch);

    /** Is told that nobody reads the bytes of a batch any longer that were lent. */
    void carried(OutgoingBatch batch);
  }

  private final List<ByteBuffer> pages = new ArrayList<>(1);
  private final List<PageBytes> pageBytes = new ArrayList<>(1);
  private int[] partitions = new int[FIRST_ENTRIES];
  private int[] lengths = new int[FIRST_ENTRIES];
  private long[] rawBytes = new long[FIRST_ENTRIES];
  private final SenderEvent.Released released = new SenderEvent.Released(this);
  private final Runnable carry = this::carry;
  private final Runnable takePageBack = this::takePageBack;
  private Carrier carrier;
  private int lentPages;
  private int maxEntries;
  private int entries;
  private int bytes;
  private int number = -1;
  private boolean inNetwork;
  private boolean settled;

  /**
   * Begins as a new batch, without pages.
   *
   * @param newMaxEntries entries that it may have
   */
  void begin(int newMaxEntries) {
    pages.clear();
    pageBytes.clear();
    maxEntries = newMaxEntries;
    entries = 0;
    bytes = 0;
    number = -1;
    inNetwork = false;
    settled = false;
  }

  /**
   * Adds a page.
   *
   * @param bytesOfPage the same page, as Netty reads it
   */
  void addPage(ByteBuffer page, PageBytes bytesOfPage) {
    pages.add(page);
    pageBytes.add(bytesOfPage);
  }

  public List<ByteBuffer> pages() {
    return pages;
  }

  boolean hasRoom(int length) {
    return !pages.isEmpty()
        && entries < maxEntries
        && bytes + (long) length <= (long) pages.size() * PagePool.PAGE_BYTES;
  }

  /** Copies an entry, for which there is room. */
  void add(int partition, ByteBuffer source, long raw) {
    if (entries == partitions.length) {
      partitions = Arrays.copyOf(partitions, 2 * entries);
      lengths = Arrays.copyOf(lengths, 2 * entries);
      rawBytes = Arrays.copyOf(rawBytes, 2 * entries);
    }
    partitions[entries] = partition;
    lengths[entries] = source.remaining();
    rawBytes[entries++] = raw;
    int limit = source.limit();
    while (source.position() < limit) {
      ByteBuffer page = pages.get(bytes / PagePool.PAGE_BYTES);
      int offset = bytes % PagePool.PAGE_BYTES;
      int part = Math.min(limit - source.position(), PagePool.PAGE_BYTES - offset);
      page.clear().position(offset);
      page.put(source.limit(source.position() + part));
      source.limit(limit);
      bytes += part;
    }
  }

  /** Whether it has pages for one entry that no other may join. */
  boolean isJumbo() {
    return pages.size() > 1;
  }

  public int bytes() {
    return bytes;
  }

  public int number() {
    return number;
  }

  /** Gives the batch to the network under a number. */
  void sendAs(int batchNumber) {
    number = batchNumber;
    inNetwork = true;
  }

  boolean isSent() {
    return number >= 0;
  }

  /**
   * Gives it to a carrier.
   *
   * @return lets the carrier carry it; the same task each time
   */
  public Runnable carriedBy(Carrier newCarrier) {
    carrier = newCarrier;
    return carry;
  }

  private void carry() {
    carrier.carry(this);
  }

  /**
   * Pages that have bytes of entries; all of them are lent from now on. Of the carrier's thread.
   */
  public int beginLending() {
    lentPages = (int) PageReserve.pagesFor(bytes);
    return lentPages;
  }

  /** The bytes of the entries that lie in a page, not copied; to be released in the same thread. */
  public ByteBuf lend(int page) {
    int length = Math.min(PagePool.PAGE_BYTES, bytes - page * PagePool.PAGE_BYTES);
    return pageBytes.get(page).lend(length, takePageBack);
  }

  private void takePageBack() {
    lentPages--;
    if (lentPages == 0) {
      carrier.carried(this);
    }
  }

  /** Tells that the network has released it; the same each time. */
  public SenderEvent.Released released() {
    return released;
  }

  void releasedByNetwork() {
    inNetwork = false;
  }

  /** Notes that its bytes are safe, or not needed any more. */
  void settle() {
    settled = true;
  }

  /** Whether nobody needs its pages. */
  boolean isDone() {
    return settled && !inNetwork;
  }

  /** Header and table, as the network sends them. */
  public ByteBuf header(ByteBufAllocator allocator) {
    ByteBuf header =
        allocator.buffer(PushProtocol.BATCH_HEADER_BYTES + entries * PushProtocol.ENTRY_BYTES);
    writeHeader(header);
    return header;
  }

  /** Writes header and table, as the network sends them. */
  public void writeHeader(ByteBuf header) {
    header.writeByte(PushProtocol.BATCH).writeInt(number).writeInt(entries);
    for (int i = 0; i < entries; i++) {
      header.writeInt(partitions[i]).writeInt(lengths[i]).writeLong(rawBytes[i]);
    }
  }

  /** Adds the bytes of the entries to a checksum. */
  public void updateChecksum(CRC32C checksum) {
    int left = bytes;
    for (int i = 0; left > 0; i++) {
      int part = Math.min(PagePool.PAGE_BYTES, left);
      checksum.update(pages.get(i).duplicate().clear().limit(part));
      left -= part;
    }
  }

  /** Writes the entries to a block; the network may read them at the same time. */
  void writeTo(EntrySink block) throws IOException {
    int position = 0;
    for (int i = 0; i < entries; i++) {
      int end = position + lengths[i];
      long raw = rawBytes[i];
      do {
        int offset = position % PagePool.PAGE_BYTES;
        int part = Math.min(end - position, PagePool.PAGE_BYTES - offset);
        ByteBuffer page = pages.get(Math.min(position / PagePool.PAGE_BYTES, pages.size() - 1));
        block.append(
            partitions[i], page.duplicate().clear().position(offset).limit(offset + part), raw);
        position += part;
        raw = 0;
      } while (position < end);
    }
  }
}
