// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.paged;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockTable;
import dev.anemone.runtime.store.WriteOrder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Writes a block to pages of this process, which it may share with other blocks. */
final class MemoryBlockWriter extends PagedBlockWriter {

  private final SharedPages memory;
  private final List<SharedPage> pages = new ArrayList<>();

  MemoryBlockWriter(
      MemoryStore store, SharedPages memory, BlockId id, int partitions, WriteOrder order) {
    super(store, id, partitions, order);
    this.memory = memory;
  }

  @Override
  protected boolean appendToPages(int partition, ByteBuffer bytes, ExtentLists written) {
    while (bytes.hasRemaining()) {
      if (pages.isEmpty() || lastPage().room() == 0) {
        SharedPage page = memory.take();
        if (page == null) {
          return false;
        }
        pages.add(page);
      }
      int offset = lastPage().used();
      int length = lastPage().append(bytes);
      written.add(partition, pages.size() - 1, offset, length);
    }
    return true;
  }

  private SharedPage lastPage() {
    return pages.get(pages.size() - 1);
  }

  @Override
  protected ByteBuffer page(int number) {
    return pages.get(number).bytes();
  }

  @Override
  protected PagedBlock seal(BlockTable index, ExtentTable extents) {
    PagedBlock block = new MemoryBlock(id(), index, extents, List.copyOf(pages), memory);
    if (!pages.isEmpty()) {
      // Before others see the block: its pages may be free again as soon as they do.
      memory.share(lastPage());
      pages.clear();
    }
    return block;
  }

  @Override
  protected void releasePages() {
    memory.takeBack(pages);
    pages.clear();
  }
}
