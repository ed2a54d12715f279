// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.protocol;

import dev.anemone.runtime.shuffle.format.Producer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.CorruptedFrameException;
import java.nio.charset.StandardCharsets;

/**
 * How a sender introduces itself.
 *
 * @param jobId the job that it belongs to
 * @param receiverId whom it wants to talk to
 * @param producer whose batches it will send
 */
public record Hello(String jobId, String receiverId, Producer producer) {

  private static final int FIXED_BYTES = 16;

  public Hello {
    int names = ByteBufUtil.utf8Bytes(jobId) + ByteBufUtil.utf8Bytes(receiverId);
    if (names > PushProtocol.MAX_HELLO_BYTES - FIXED_BYTES) {
      throw new IllegalArgumentException(
          "the ids of a job and a receiver may have "
              + (PushProtocol.MAX_HELLO_BYTES - FIXED_BYTES)
              + " bytes together, and these have "
              + names);
    }
  }

  /** Preamble and hello. */
  public ByteBuf toBytes(ByteBufAllocator allocator) {
    byte[] job = jobId.getBytes(StandardCharsets.UTF_8);
    byte[] receiver = receiverId.getBytes(StandardCharsets.UTF_8);
    int bytes = FIXED_BYTES + job.length + receiver.length;
    return allocator
        .buffer(PushProtocol.PREAMBLE_BYTES + bytes)
        .writeInt(PushProtocol.MAGIC)
        .writeInt(PushProtocol.VERSION)
        .writeInt(bytes)
        .writeInt(producer.task())
        .writeInt(producer.attempt())
        .writeInt(job.length)
        .writeBytes(job)
        .writeInt(receiver.length)
        .writeBytes(receiver);
  }

  /**
   * Reads a hello, without the preamble.
   *
   * @throws CorruptedFrameException when the bytes are none
   */
  public static Hello of(ByteBuf bytes) {
    if (bytes.readableBytes() < FIXED_BYTES) {
      throw new CorruptedFrameException("a hello of " + bytes.readableBytes() + " bytes");
    }
    Producer producer = new Producer(bytes.readInt(), bytes.readInt());
    String jobId = text(bytes);
    String receiverId = text(bytes);
    if (bytes.isReadable()) {
      throw new CorruptedFrameException(bytes.readableBytes() + " bytes behind a hello");
    }
    return new Hello(jobId, receiverId, producer);
  }

  private static String text(ByteBuf bytes) {
    int length = bytes.readableBytes() < Integer.BYTES ? -1 : bytes.readInt();
    if (length < 0 || length > bytes.readableBytes()) {
      throw new CorruptedFrameException("a hello that ends within a name");
    }
    return bytes.readCharSequence(length, StandardCharsets.UTF_8).toString();
  }
}
