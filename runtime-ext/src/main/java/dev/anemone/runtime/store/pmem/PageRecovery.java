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
 * @param free the chunks that they do not have
 */
record PageRecovery(List<PagedBlock> blocks, FreePersistentPages free) {

  private static final Logger LOG = LoggerFactory.getLogger(PageRecovery.class);

  /** A block that is whole, and the chain of its header. */
  private record Found(BlockHeader header, HeaderChain chain, List<ByteBuffer> pages) {

    int[] chunks() {
      return IntStream.concat(header.chunks(), chain.chunks()).distinct().toArray();
    }
  }

  /**
   * Looks at every chunk, and drops blocks that are not whole.
   *
   * @throws IOException when two blocks have one chunk or one id, which no crash brings about
   */
  static PageRecovery scan(PersistentPages memory) throws IOException {
    int chunks = memory.geometry().chunks();
    List<Found> found = new ArrayList<>();
    BitSet taken = new BitSet(chunks);
    int torn = 0;
    for (int root = 0; root < chunks; root++) {
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
    FreePersistentPages free = new FreePersistentPages(chunks, taken);
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
                        block.pages(),
                        memory,
                        free,
                        block.chain().root(),
                        block.chunks()))
            .toList();
    return new PageRecovery(blocks, free);
  }

  private static void claim(Found block, BitSet taken) throws IOException {
    for (int chunk : block.chunks()) {
      if (taken.get(chunk)) {
        throw new IOException(
            "the persistent memory is damaged: block "
                + block.header().id()
                + " and another one both have chunk "
                + chunk
                + "; delete it");
      }
      taken.set(chunk);
    }
  }

  private static Found read(PersistentPages memory, int root) {
    HeaderChain chain = HeaderChain.read(memory, root);
    if (chain == null) {
      return null;
    }
    BlockHeader header = BlockHeader.decode(chain.bytes());
    List<ByteBuffer> pages = header.chunks().mapToObj(memory::chunk).toList();
    long left = header.index().storedBytes();
    CRC32C crc = new CRC32C();
    for (int i = 0; i < pages.size(); i++) {
      int used = (int) Math.min(left, memory.geometry().chunkBytes());
      crc.reset();
      crc.update(pages.get(i).slice(0, used));
      if ((int) crc.getValue() != header.checksum(i)) {
        return null;
      }
      left -= used;
    }
    return new Found(header, chain, pages);
  }
}
