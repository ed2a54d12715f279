// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;

/** A view of a registered buffer, with a reference to it. */
final class RegisteredByteBuf extends UnpooledDirectByteBuf {

  private final RegisteredBuffer buffer;

  RegisteredByteBuf(RegisteredBuffer buffer, int length) {
    super(UnpooledByteBufAllocator.DEFAULT, buffer.memory(), buffer.capacity());
    this.buffer = buffer;
    setIndex(0, length);
  }

  @Override
  public ByteBuf capacity(int newCapacity) {
    if (newCapacity != capacity()) {
      throw new UnsupportedOperationException("a registered buffer keeps its size");
    }
    return this;
  }

  @Override
  protected void deallocate() {
    super.deallocate();
    buffer.release();
  }
}
