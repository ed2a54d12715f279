// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.paged;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockTable;
import java.util.List;

/** A committed block in pages of this process. */
final class MemoryBlock extends PagedBlock {

  private final List<SharedPage> pages;
  private final SharedPages owner;

  /** A block that its maker holds; the list of pages is not changed any more. */
  MemoryBlock(
      BlockId id,
      BlockTable index,
      ExtentTable extents,
      List<SharedPage> pages,
      SharedPages owner) {
    super(id, index, extents, page -> pages.get(page).bytes());
    this.pages = pages;
    this.owner = owner;
  }

  /** Nothing of it outlives this process. */
  @Override
  protected void withdraw() {}

  @Override
  protected void free() {
    owner.release(pages);
  }
}
