// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.nio.ByteBuffer;

/**
 * A page as Netty reads it, again and again: each time that Netty releases it, its borrower is
 * told, and it may be lent again. It does not own the page.
 */
final class PageBytes extends UnpooledDirectByteBuf {

  private Runnable borrower;

  /**
   * All of a page.
   *
   * @param page with position 0 and full limit
   */
  PageBytes(ByteBuffer page) {
    super(UnpooledByteBufAllocator.DEFAULT, page, page.capacity());
  }

  /**
   * Lends the first bytes of the page, with one reference.
   *
   * @param length bytes, at least one
   * @param whenReleased is run by the thread that releases the last reference
   */
  ByteBuf lend(int length, Runnable whenReleased) {
    borrower = whenReleased;
    resetRefCnt();
    return setIndex(0, length);
  }

  @Override
  public ByteBuf capacity(int newCapacity) {
    if (newCapacity != capacity()) {
      throw new UnsupportedOperationException("a page keeps its size");
    }
    return this;
  }

  @Override
  protected void deallocate() {
    borrower.run();
  }
}
