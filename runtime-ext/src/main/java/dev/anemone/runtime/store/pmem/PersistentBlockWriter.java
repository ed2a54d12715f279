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

/** Writes a block to chunks of its own, in the order that {@link PersistentMemoryStore} tells. */
final class PersistentBlockWriter extends PagedBlockWriter {

  private final PersistentPages memory;
  private final FreePersistentPages free;
  private final List<WrittenPage> chunks = new ArrayList<>();

  /** Chunks of the header; none until the block is committed. */
  private int[] headerChunks = {};

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
      if (chunks.isEmpty() || last().room() == 0) {
        int chunk = free.tryTake();
        if (chunk < 0) {
          return false;
        }
        chunks.add(new WrittenPage(chunk, memory.chunk(chunk)));
      }
      int offset = last().used();
      int length = last().append(bytes);
      written.add(partition, chunks.size() - 1, offset, length);
    }
    return true;
  }

  private WrittenPage last() {
    return chunks.get(chunks.size() - 1);
  }

  @Override
  protected ByteBuffer page(int number) {
    return chunks.get(number).bytes();
  }

  @Override
  protected PagedBlock seal(BlockTable index, ExtentTable extents) throws IOException {
    BlockHeader header =
        new BlockHeader(
            id(),
            index,
            extents,
            numbers(),
            chunks.stream().mapToInt(WrittenPage::checksum).toArray());
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
            chunks.stream().map(WrittenPage::bytes).toList(),
            memory,
            free,
            chain.root(),
            allChunks());
    forgetChunks();
    return block;
  }

  /** Behind the block's last bytes, as far as there is room, and else in further chunks. */
  private HeaderChain place(ByteBuffer header) {
    int chunkBytes = memory.geometry().chunkBytes();
    int offset = chunks.isEmpty() ? chunkBytes : PageGeometry.nextLine(last().used());
    boolean rootHasBytes = offset < chunkBytes;
    int[] further = new int[HeaderChain.chunksBehindRoot(header.limit(), offset, chunkBytes)];
    if (!free.tryTake(further)) {
      return null;
    }
    headerChunks = further;
    return rootHasBytes
        ? new HeaderChain(header, concat(new int[] {last().number()}, further), offset)
        : new HeaderChain(header, further, 0);
  }

  private void persistBytes() throws IOException {
    if (!chunks.isEmpty()) {
      memory.persistFull(IntStream.of(numbers()).limit(chunks.size() - 1).toArray());
      memory.persist(last().number(), 0, last().used());
    }
  }

  /** The chunks stay lost until the memory is opened again if a header in doubt stays. */
  @Override
  protected void releasePages() throws IOException {
    if (inDoubt != null) {
      memory.clear(inDoubt.root());
      inDoubt = null;
    }
    free.giveBack(allChunks());
    forgetChunks();
  }

  private void forgetChunks() {
    chunks.clear();
    headerChunks = new int[0];
  }

  private int[] numbers() {
    return chunks.stream().mapToInt(WrittenPage::number).toArray();
  }

  private int[] allChunks() {
    return concat(numbers(), headerChunks);
  }

  private static int[] concat(int[] first, int[] second) {
    return IntStream.concat(IntStream.of(first), IntStream.of(second)).toArray();
  }
}
