// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.sort;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.shuffle.format.RecordFormat;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Encoded records, one behind the other in pages; a record lies in one page. A pointer, the number
 * of the page and the offset in it, stands for a record in 32 bits, so that pages may hold 4 GB.
 * The pages belong to the {@link SortBuffer}. Used by one thread.
 */
final class RecordPages {

  /** The most pages that pointers can tell apart. */
  static final int MAX_PAGES =
      1 << (Integer.SIZE - Integer.numberOfTrailingZeros(PagePool.PAGE_BYTES));

  private static final int OFFSET_BITS = Integer.numberOfTrailingZeros(PagePool.PAGE_BYTES);
  private static final int OFFSET_MASK = PagePool.PAGE_BYTES - 1;

  /** What a reference has behind its key. */
  static final int REFERENCE_BYTES = Long.BYTES + Integer.BYTES;

  private ByteBuffer[] pages = new ByteBuffer[16];
  private int count;
  private int end = PagePool.PAGE_BYTES;

  /** Whether a record of so many bytes fits into the page that is being filled. */
  boolean hasRoom(long size) {
    return size <= PagePool.PAGE_BYTES - end;
  }

  boolean isFull() {
    return count == MAX_PAGES;
  }

  /** Goes on in an empty page. */
  void addPage(ByteBuffer page) {
    if (count == pages.length) {
      pages = Arrays.copyOf(pages, 2 * count);
    }
    pages[count++] = page;
    end = 0;
  }

  /** Takes all pages out. */
  void removeAll(PageStock stock) {
    for (int i = 0; i < count; i++) {
      stock.putBack(pages[i]);
      pages[i] = null;
    }
    count = 0;
    end = PagePool.PAGE_BYTES;
  }

  /** Encodes a record that {@link #hasRoom}, and gives its pointer. */
  int append(byte[] key, int keyLength, byte[] value, int valueLength, int size) {
    int start = end;
    RecordFormat.write(pages[count - 1], start, key, keyLength, value, valueLength);
    end = start + size;
    return ((count - 1) << OFFSET_BITS) | start;
  }

  /** Encodes a reference that {@link #hasRoom}: a record with the value's length negated. */
  int appendReference(byte[] key, int keyLength, int valueLength, long place, int checksum) {
    ByteBuffer page = pages[count - 1];
    int start = end;
    int keyStart = RecordFormat.writeLengths(page, start, keyLength, ~valueLength);
    int behindKey = keyStart + keyLength;
    page.put(keyStart, key, 0, keyLength);
    page.putLong(behindKey, place).putInt(behindKey + Long.BYTES, checksum);
    end = behindKey + REFERENCE_BYTES;
    return ((count - 1) << OFFSET_BITS) | start;
  }

  ByteBuffer page(int pointer) {
    return pages[pointer >>> OFFSET_BITS];
  }

  static int offset(int pointer) {
    return pointer & OFFSET_MASK;
  }

  int keyLength(int pointer) {
    return RecordFormat.varint(page(pointer), offset(pointer));
  }

  /** Eight bytes of a key as a big-endian number, zeros behind its end. */
  long keyWord(int pointer, int from, int keyLength) {
    ByteBuffer page = page(pointer);
    return RecordFormat.prefix(
        page, keyStart(page, offset(pointer), keyLength) + from, keyLength - from);
  }

  /** Compares whole keys as unsigned bytes. */
  int compareKeys(int a, int b) {
    ByteBuffer aPage = page(a);
    ByteBuffer bPage = page(b);
    int aLength = RecordFormat.varint(aPage, offset(a));
    int bLength = RecordFormat.varint(bPage, offset(b));
    return RecordFormat.compare(
        aPage,
        keyStart(aPage, offset(a), aLength),
        aLength,
        bPage,
        keyStart(bPage, offset(b), bLength),
        bLength);
  }

  private static int keyStart(ByteBuffer page, int start, int keyLength) {
    int valueLengthAt = start + RecordFormat.varintSize(keyLength);
    return valueLengthAt + RecordFormat.varintSize(RecordFormat.varint(page, valueLengthAt));
  }
}
