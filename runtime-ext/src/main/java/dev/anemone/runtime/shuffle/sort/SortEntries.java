// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.sort;

import dev.anemone.runtime.memory.PagePool;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * What is sorted in place of records: for each a word, that is the partition and the first bits of
 * the key, and the record's pointer. They lie in pages, 12 bytes each; those of one page, a group,
 * are sorted at a time. The pages belong to the {@link SortBuffer}. Used by one thread.
 */
final class SortEntries {

  /** The most entries of a group; they fit into a core's own caches. */
  static final int GROUP = PagePool.PAGE_BYTES / (Long.BYTES + Integer.BYTES);

  private final List<Page> pages = new ArrayList<>();

  /** Views of the pages that were ever here, since the buffer's pages come again. */
  private final IdentityHashMap<ByteBuffer, Page> views = new IdentityHashMap<>();

  private int size;
  private int end;
  private Page last;

  private record Page(ByteBuffer page, LongBuffer words, IntBuffer pointers) {

    static Page of(ByteBuffer page) {
      ByteBuffer ordered = page.duplicate().order(ByteOrder.nativeOrder());
      return new Page(
          page, ordered.asLongBuffer(), ordered.position(GROUP * Long.BYTES).asIntBuffer());
    }
  }

  boolean hasRoom() {
    return size < end;
  }

  boolean isFull() {
    return pages.size() == RecordPages.MAX_PAGES;
  }

  /** Goes on in an empty page. */
  void addPage(ByteBuffer page) {
    last = views.computeIfAbsent(page, Page::of);
    pages.add(last);
    end += GROUP;
  }

  /** Takes all pages out. */
  void removeAll(PageStock stock) {
    for (int i = 0; i < pages.size(); i++) {
      stock.putBack(pages.get(i).page());
    }
    pages.clear();
    last = null;
    size = 0;
    end = 0;
  }

  /** Adds an entry for which there {@link #hasRoom}. */
  void add(long word, int pointer) {
    int slot = GROUP - (end - size);
    last.words().put(slot, word);
    last.pointers().put(slot, pointer);
    size++;
  }

  int size() {
    return size;
  }

  int groups() {
    return pages.size();
  }

  /** Number of entries of a group. */
  int groupSize(int group) {
    return Math.min(GROUP, size - group * GROUP);
  }

  /** Copies entries of a group out, from one on, to the same place in both arrays. */
  void load(int group, int first, int count, long[] words, int[] pointers, int target) {
    Page page = pages.get(group);
    page.words().get(first, words, target, count);
    page.pointers().get(first, pointers, target, count);
  }

  /** Copies a whole group back. */
  void store(int group, long[] words, int[] pointers) {
    Page page = pages.get(group);
    page.words().put(0, words, 0, groupSize(group));
    page.pointers().put(0, pointers, 0, groupSize(group));
  }
}
