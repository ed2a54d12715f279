// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import dev.anemone.rdma.transport.MessageHandler;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * Reads a connection's frames. Payload for registered memory is read from the socket straight into
 * it, together with the header of the next frame. While payloads are small, a call reads ahead
 * instead, and what it brings is copied: that is cheaper than a call for each.
 *
 * <p>Used by the event loop alone.
 */
final class Incoming {

  /** Bytes that a message can have. */
  static final int LONGEST_MESSAGE = 16 * 1024;

  /** Payloads of so many bytes are not copied. */
  static final int LARGE = 8 * 1024;

  private static final int AHEAD = 64 * 1024;
  private static final int ROUNDS = 64;

  private final TcpConnection owner;
  private final SocketChannel channel;
  private final RegionTable regions;
  private final MessageHandler handler;
  private final ByteBuffer ahead = ByteBuffer.allocateDirect(AHEAD);
  private final ByteBuffer message = ahead.duplicate();
  private final ByteBuffer[] buffers = {null, ahead};
  private boolean large;
  private boolean textIsPartial;

  // Where the payload of the frame goes that is being read; null between payloads.
  private ByteBuffer target;
  private TcpRegion targetRegion;

  /** The request whose answer it is, or null. */
  private Frame answered;

  Incoming(TcpConnection owner, RegionTable regions, MessageHandler handler) {
    this.owner = owner;
    this.channel = owner.channel();
    this.regions = regions;
    this.handler = handler;
  }

  /** Reads what has come, but not for so long that other connections would starve. */
  void read() throws IOException {
    for (int i = 0; i < ROUNDS; i++) {
      ahead.limit(large && !textIsPartial ? FrameHeader.BYTES : AHEAD);
      long wanted = (long) ahead.remaining() + (target == null ? 0 : target.remaining());
      long got = target == null ? channel.read(ahead) : readIntoTarget();
      if (got < 0) {
        throw new EOFException("the peer has gone without closing the connection");
      }
      if (target != null && !target.hasRemaining()) {
        endPayload();
      }
      ahead.flip();
      while (target == null && owner.isOpen() && handleNext()) {
        // One frame after the other.
      }
      ahead.compact();
      if (got < wanted || !owner.isOpen()) {
        return;
      }
    }
  }

  /** Reads and forgets what comes; false at the end of it. */
  boolean discard() throws IOException {
    ahead.clear();
    return channel.read(ahead) >= 0;
  }

  private long readIntoTarget() throws IOException {
    buffers[0] = target;
    pinTarget();
    try {
      return channel.read(buffers);
    } finally {
      targetRegion.unpin();
    }
  }

  private void pinTarget() throws IOException {
    if (!targetRegion.pin()) {
      throw answered == null
          ? new ViolationException("the region was closed while it was written")
          : new IOException("a region of this side was closed while it was read into");
    }
  }

  /** Handles a frame, when its header is there, and its text if it has one. */
  private boolean handleNext() throws IOException {
    int at = ahead.position();
    if (ahead.remaining() < FrameHeader.BYTES) {
      return false;
    }
    Opcode opcode = FrameHeader.opcode(ahead, at);
    int length = FrameHeader.length(ahead, at);
    if (opcode.bringsText()) {
      if (length < 0 || length > LONGEST_MESSAGE) {
        throw new ViolationException("a message of " + length + " bytes");
      }
      textIsPartial = ahead.remaining() < FrameHeader.BYTES + length;
      if (textIsPartial) {
        return false;
      }
    }
    ahead.position(at + FrameHeader.BYTES);
    long request = FrameHeader.request(ahead, at);
    switch (opcode) {
      case WRITE -> beginWrite(at, length);
      case READ -> {
        large = false;
        long offset = FrameHeader.offset(ahead, at);
        owner.outgoing().answer(Opcode.READ_ANSWER, request, region(at, length), offset, length);
      }
      case READ_ANSWER -> beginAnswer(request, length);
      case FLUSH -> owner.outgoing().answer(Opcode.FLUSH_ANSWER, request, null, 0, 0);
      case FLUSH_ANSWER ->
          owner.outgoing().answered(owner.outgoing().awaited(Opcode.FLUSH, request));
      case MESSAGE -> {
        large = false;
        deliver(length);
      }
      case REFUSAL -> throw new IOException("the peer refused: " + text(length));
      case BYE -> owner.peerClosed();
    }
    return true;
  }

  /** The region that a peer names in a header, of which the range must lie in it. */
  private TcpRegion region(int at, int length) throws ViolationException {
    TcpRegion region = FrameHeader.region(ahead, at, regions);
    if (region == null) {
      throw new ViolationException("the region is not registered, or no longer");
    }
    long offset = FrameHeader.offset(ahead, at);
    if (!region.has(offset, length)) {
      throw new ViolationException(
          length
              + " bytes from "
              + offset
              + " are not within the "
              + region.remote().length()
              + " of the region");
    }
    return region;
  }

  private void beginWrite(int at, int length) throws IOException {
    targetRegion = region(at, length);
    target = targetRegion.view((int) FrameHeader.offset(ahead, at), length);
    takeFromAhead(length);
  }

  private void beginAnswer(long request, int length) throws IOException {
    answered = owner.outgoing().awaited(Opcode.READ, request);
    if (answered.payload().remaining() != length) {
      throw new ViolationException("an answer of " + length + " bytes, which were not asked for");
    }
    targetRegion = answered.region();
    target = answered.payload();
    takeFromAhead(length);
  }

  /** Copies what was read of the payload before anybody knew what it was. */
  private void takeFromAhead(int length) throws IOException {
    large = length >= LARGE;
    if (!ahead.hasRemaining()) {
      return;
    }
    int end = ahead.limit();
    ahead.limit(ahead.position() + Math.min(ahead.remaining(), length));
    pinTarget();
    try {
      target.put(ahead);
    } finally {
      targetRegion.unpin();
      ahead.limit(end);
    }
    if (!target.hasRemaining()) {
      endPayload();
    }
  }

  private void endPayload() {
    if (answered == null) {
      targetRegion.giveBack(target);
    } else {
      owner.outgoing().answered(answered);
    }
    target = null;
    targetRegion = null;
    answered = null;
  }

  private void deliver(int length) throws IOException {
    int end = ahead.position() + length;
    message.limit(end).position(ahead.position());
    ahead.position(end);
    Callbacks.enter();
    try {
      handler.onMessage(owner, message);
    } catch (RuntimeException e) {
      throw new IOException("the message handler failed: " + e, e);
    } finally {
      Callbacks.leave();
    }
  }

  private String text(int length) {
    byte[] bytes = new byte[length];
    ahead.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
