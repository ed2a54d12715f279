// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

import dev.anemone.runtime.store.paged.PagedBlock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is found in a memory that is opened.
 *
 * @param blocks those that are whole, each held once
 * @param free the pages that they do not have
 */
record PageRecovery(List<PagedBlock> blocks, FreePersistentPages free) {

  private static final Logger LOG = LoggerFactory.getLogger(PageRecovery.class);

  /** A block that is whole, the chain of its header, and what its pages hold. */
  private record Found(BlockHeader header, HeaderChain chain, List<ByteBuffer> bytes) {

    /** The pages that it has, those of its header included. */
    int[] all() {
      return IntStream.concat(header.pages(), chain.pages()).distinct().toArray();
    }
  }

  /**
   * Looks at every page, and drops blocks that are not whole.
   *
   * @throws IOException when two blocks have one page or one id, which no crash brings about
   */
  static PageRecovery scan(PersistentPages memory) throws IOException {
    int pages = memory.geometry().pages();
    List<Found> found = new ArrayList<>();
    BitSet taken = new BitSet(pages);
    int torn = 0;
    for (int root = 0; root < pages; root++) {
      if (memory.commitWord(root) == 0) {
        continue;
      }
      Found block = read(memory, root);
      if (block == null) {
        memory.clear(root);
        torn++;
      } else {
        claim(block, taken);
        found.add(block);
      }
    }
    FreePersistentPages free = new FreePersistentPages(pages, taken);
    if (torn > 0) {
      LOG.warn("dropped {} torn blocks; {} are whole", torn, found.size());
    } else if (!found.isEmpty()) {
      LOG.debug("found {} blocks, all whole", found.size());
    }
    List<PagedBlock> blocks =
        found.stream()
            .<PagedBlock>map(
                block ->
                    new PersistentBlock(
                        block.header(),
                        block.bytes(),
                        memory,
                        free,
                        block.chain().root(),
                        block.all()))
            .toList();
    return new PageRecovery(blocks, free);
  }

  private static void claim(Found block, BitSet taken) throws IOException {
    for (int page : block.all()) {
      if (taken.get(page)) {
        throw new IOException(
            "the persistent memory is damaged: block "
                + block.header().id()
                + " and another one both have page "
                + page
                + "; delete it");
      }
      taken.set(page);
    }
  }

  private static Found read(PersistentPages memory, int root) {
    HeaderChain chain = HeaderChain.read(memory, root);
    if (chain == null) {
      return null;
    }
    BlockHeader header = BlockHeader.decode(chain.bytes());
    List<ByteBuffer> bytes = header.pages().mapToObj(memory::page).toList();
    long left = header.index().storedBytes();
    CRC32C crc = new CRC32C();
    for (int i = 0; i < bytes.size(); i++) {
      int used = (int) Math.min(left, memory.geometry().pageBytes());
      crc.reset();
      crc.update(bytes.get(i).slice(0, used));
      if ((int) crc.getValue() != header.checksum(i)) {
        return null;
      }
      left -= used;
    }
    return new Found(header, chain, bytes);
  }
}
