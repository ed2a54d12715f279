// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.RemoteRegion;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A frame to send, and the operation that it belongs to. Used again and again; whoever took it from
 * {@link Outgoing} owns it until it is handed in there.
 */
final class Frame {

  private static final int SMALLEST_MESSAGE_BUFFER = 256;

  private final ByteBuffer header = ByteBuffer.allocateDirect(FrameHeader.BYTES);
  private ByteBuffer messageBuffer = ByteBuffer.allocateDirect(0);
  private Opcode opcode;
  private long request;
  private long begunNanos;
  private Completion completion;
  private TcpRegion region;
  private ByteBuffer payload;
  private boolean reserved;
  private int uses;

  /** Becomes a frame without payload. */
  Frame set(Opcode kind, int length, long number, Completion whenDone) {
    opcode = kind;
    request = number;
    completion = whenDone;
    uses = isAnswered() ? 2 : 1;
    FrameHeader.put(header, kind, length, number);
    return this;
  }

  /** Names the peer's memory. */
  Frame at(RemoteRegion remote, long offset) {
    TcpRegion.putKey(header, remote, offset);
    return this;
  }

  /** Gives it the range of local memory that it sends, or in which its answer goes. */
  Frame withMemory(TcpRegion local, int position, int length) {
    region = local;
    payload = local.view(position, length);
    return this;
  }

  /** Gives it a message, which it copies. */
  Frame withMessage(ByteBuffer message) {
    int length = message.remaining();
    if (messageBuffer.capacity() < length) {
      messageBuffer =
          ByteBuffer.allocateDirect(
              Math.max(SMALLEST_MESSAGE_BUFFER, Integer.highestOneBit(length) << 1));
    }
    int position = message.position();
    messageBuffer.clear().put(message).flip();
    message.position(position);
    payload = messageBuffer;
    return this;
  }

  /** Numbers a request; answers have the number of theirs. */
  void setRequest(long number) {
    request = number;
    FrameHeader.putRequest(header, number);
  }

  /** Its time begins to count. */
  void begin() {
    begunNanos = System.nanoTime();
  }

  /**
   * One of its uses has ended: the sending, or the waiting for an answer; says if it was the last.
   */
  boolean endUse() {
    uses--;
    return uses == 0;
  }

  /** Gives back what it refers to. */
  void clear() {
    if (region != null) {
      region.giveBack(payload);
    }
    region = null;
    payload = null;
    completion = null;
    reserved = false;
  }

  /** Whether it counts among the operations under way. */
  boolean isReserved() {
    return reserved;
  }

  void reserve() {
    reserved = true;
  }

  ByteBuffer header() {
    return header;
  }

  Opcode opcode() {
    return opcode;
  }

  long request() {
    return request;
  }

  long begunNanos() {
    return begunNanos;
  }

  /** Who is told of the end; null for answers. */
  Completion completion() {
    return completion;
  }

  /** The region of its memory, or null. */
  TcpRegion region() {
    return region;
  }

  /** The memory or the message, or null. */
  ByteBuffer payload() {
    return payload;
  }

  /** Whether an answer ends the operation. */
  boolean isAnswered() {
    return opcode == Opcode.READ || opcode == Opcode.FLUSH;
  }

  /** Whether the payload is sent behind the header. */
  boolean sendsPayload() {
    return payload != null && opcode != Opcode.READ;
  }

  /** Keeps the memory that it sends from going away until {@link #unpin}. */
  void pin() throws IOException {
    if (region != null && !region.pin()) {
      throw completion == null
          ? new ViolationException("the region was closed while it was read")
          : new IOException("a region of this side was closed while it was used");
    }
  }

  void unpin() {
    if (region != null) {
      region.unpin();
    }
  }

  /** Whether all of it has been sent. */
  boolean isSent() {
    return !header.hasRemaining() && !(sendsPayload() && payload.hasRemaining());
  }

  /** Whether some of it has been sent. */
  boolean isBegun() {
    return header.position() > 0;
  }
}
