// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** What a receiver answers. */
public enum Reply {
  /**
   * The sender has to prove that it knows the job's secret. The argument is the number of bytes
   * that follow: the receiver's random number, and its own proof.
   */
  CHALLENGE('C'),
  /** Batches may come. */
  WELCOME('W'),
  /** No batch will be taken; the argument is the code of a {@link Refusal}. */
  REFUSED('R'),
  /** The batch has arrived. */
  ACKNOWLEDGED('A'),
  /** There was no memory for the batch; there may be some for a later one. */
  FULL('F'),
  /** No batch of this producer will be taken any more. */
  STALE('S');

  public static final int BYTES = 5;

  /** Asked for with each batch; a copy of its own for each would be an allocation. */
  private static final Reply[] ALL = values();

  private final byte code;

  Reply(char code) {
    this.code = (byte) code;
  }

  public byte code() {
    return code;
  }

  /** Whether it answers a batch. */
  public boolean isToBatch() {
    return this == ACKNOWLEDGED || this == FULL || this == STALE;
  }

  public ByteBuf toBytes(int argument, ByteBufAllocator allocator) {
    return allocator.buffer(BYTES, BYTES).writeByte(code).writeInt(argument);
  }

  /** The reply with a code, or null when there is none. */
  public static Reply of(byte code) {
    for (Reply reply : ALL) {
      if (reply.code == code) {
        return reply;
      }
    }
    return null;
  }
}
