// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

import dev.anemone.runtime.store.paged.PagedBlock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A block that is committed in a persistent memory. */
final class PersistentBlock extends PagedBlock {

  private final PersistentPages memory;
  private final FreePersistentPages free;
  private final int root;
  private final int[] all;

  /**
   * A block that its maker holds.
   *
   * @param pages that have its bytes, in order
   * @param root where its header begins
   * @param all the pages that it has, those of its header included
   */
  PersistentBlock(
      BlockHeader header,
      List<ByteBuffer> pages,
      PersistentPages memory,
      FreePersistentPages free,
      int root,
      int[] all) {
    super(header.id(), header.index(), header.extents(), pages::get);
    this.memory = memory;
    this.free = free;
    this.root = root;
    this.all = all;
  }

  @Override
  public void read(int partition, long position, int length, ByteBuffer target) throws IOException {
    super.read(partition, position, length, target);
    memory.requireOpen();
  }

  @Override
  protected void withdraw() throws IOException {
    memory.clear(root);
  }

  @Override
  protected void free() {
    free.giveBack(all);
  }
}
