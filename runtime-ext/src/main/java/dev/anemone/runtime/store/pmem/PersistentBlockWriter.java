// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockTable;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.paged.ExtentLists;
import dev.anemone.runtime.store.paged.ExtentTable;
import dev.anemone.runtime.store.paged.PagedBlock;
import dev.anemone.runtime.store.paged.PagedBlockWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Writes a block to pages of its own, in the order that {@link PersistentMemoryStore} tells. */
final class PersistentBlockWriter extends PagedBlockWriter {

  private final PersistentPages memory;
  private final FreePersistentPages free;
  private final List<WrittenPage> pages = new ArrayList<>();

  /** Pages of the header; none until the block is committed. */
  private int[] headerPages = {};

  /** A header that may have been committed. */
  private HeaderChain inDoubt;

  PersistentBlockWriter(
      PersistentMemoryStore store,
      PersistentPages memory,
      FreePersistentPages free,
      BlockId id,
      int partitions,
      WriteOrder order) {
    super(store, id, partitions, order);
    this.memory = memory;
    this.free = free;
  }

  @Override
  protected boolean appendToPages(int partition, ByteBuffer bytes, ExtentLists written) {
    while (bytes.hasRemaining()) {
      if (pages.isEmpty() || last().room() == 0) {
        int page = free.tryTake();
        if (page < 0) {
          return false;
        }
        pages.add(new WrittenPage(page, memory.page(page)));
      }
      int offset = last().used();
      int length = last().append(bytes);
      written.add(partition, pages.size() - 1, offset, length);
    }
    return true;
  }

  private WrittenPage last() {
    return pages.get(pages.size() - 1);
  }

  @Override
  protected ByteBuffer page(int number) {
    return pages.get(number).bytes();
  }

  @Override
  protected PagedBlock seal(BlockTable index, ExtentTable extents) throws IOException {
    BlockHeader header =
        new BlockHeader(
            id(),
            index,
            extents,
            numbers(),
            pages.stream().mapToInt(WrittenPage::checksum).toArray());
    HeaderChain chain = place(header.encode());
    if (chain == null) {
      return null;
    }
    persistBytes();
    chain.write(memory);
    inDoubt = chain;
    memory.commit(chain.root(), chain.commitWord());
    inDoubt = null;
    PagedBlock block =
        new PersistentBlock(
            header,
            pages.stream().map(WrittenPage::bytes).toList(),
            memory,
            free,
            chain.root(),
            allPages());
    forgetPages();
    return block;
  }

  /** Behind the block's last bytes, as far as there is room, and else in further pages. */
  private HeaderChain place(ByteBuffer header) {
    int pageBytes = memory.geometry().pageBytes();
    int offset = pages.isEmpty() ? pageBytes : PageGeometry.nextLine(last().used());
    boolean rootHasBytes = offset < pageBytes;
    int[] further = new int[HeaderChain.pagesBehindRoot(header.limit(), offset, pageBytes)];
    if (!free.tryTake(further)) {
      return null;
    }
    headerPages = further;
    return rootHasBytes
        ? new HeaderChain(header, concat(new int[] {last().number()}, further), offset)
        : new HeaderChain(header, further, 0);
  }

  private void persistBytes() throws IOException {
    if (!pages.isEmpty()) {
      memory.persistFull(IntStream.of(numbers()).limit(pages.size() - 1).toArray());
      memory.persist(last().number(), 0, last().used());
    }
  }

  /** The pages stay lost until the memory is opened again if a header in doubt stays. */
  @Override
  protected void releasePages() throws IOException {
    if (inDoubt != null) {
      memory.clear(inDoubt.root());
      inDoubt = null;
    }
    free.giveBack(allPages());
    forgetPages();
  }

  private void forgetPages() {
    pages.clear();
    headerPages = new int[0];
  }

  private int[] numbers() {
    return pages.stream().mapToInt(WrittenPage::number).toArray();
  }

  private int[] allPages() {
    return concat(numbers(), headerPages);
  }

  private static int[] concat(int[] first, int[] second) {
    return IntStream.concat(IntStream.of(first), IntStream.of(second)).toArray();
  }
}
