// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.RemoteRegion;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The user's side of a {@link LoopConnection}: checks what it is given, and hands it over. */
final class UcxConnection implements Connection, ConnectionEvents {

  private static final Logger LOG = LoggerFactory.getLogger(UcxConnection.class);

  private final LoopConnection loopSide;
  private final Regions regions;
  private final ProgressLoop loop;
  private final Slots slots;
  private MessageHandler handler;

  /** A connection, before its first event. */
  UcxConnection(LoopConnection loopSide, Regions regions) {
    this.loopSide = loopSide;
    this.regions = regions;
    this.loop = loopSide.loop();
    this.slots = loopSide.slots();
  }

  /** Names who gets its messages. On the loop's thread, before the first. */
  void setHandler(MessageHandler messages) {
    handler = Objects.requireNonNull(messages, "the acceptor returned no handler");
  }

  @Override
  public InetSocketAddress remoteAddress() {
    return loopSide.peer();
  }

  @Override
  public int maxOutstanding() {
    return Slots.LIMIT;
  }

  @Override
  public int maxMessageBytes() {
    return Frame.MAX_MESSAGE_BYTES;
  }

  @Override
  public void read(
      RemoteRegion from,
      long offset,
      MemoryRegion into,
      int position,
      int length,
      Completion completion) {
    UcxRegion local = check(into, position, length, from, offset);
    Operation operation = take(completion);
    if (operation != null) {
      operation.read(from, offset, local, position, length);
      operation.submit(loop, completion);
    }
  }

  @Override
  public void write(
      MemoryRegion from,
      int position,
      int length,
      RemoteRegion to,
      long offset,
      Completion completion) {
    UcxRegion local = check(from, position, length, to, offset);
    Operation operation = take(completion);
    if (operation != null) {
      operation.write(local, position, length, to, offset);
      operation.submit(loop, completion);
    }
  }

  private UcxRegion check(
      MemoryRegion local, int position, int length, RemoteRegion remote, long offset) {
    if (!(local instanceof UcxRegion region) || region.regions() != regions) {
      throw new IllegalArgumentException(
          "the local memory is registered with another transport than the connection's");
    }
    if (length < 1) {
      throw new IndexOutOfBoundsException("a range of " + length + " bytes");
    }
    Objects.checkFromIndexSize((long) position, length, region.remote().length());
    Objects.checkFromIndexSize(offset, length, remote.length());
    return region;
  }

  @Override
  public void flush(Completion completion) {
    Operation operation = take(completion);
    if (operation != null) {
      operation.flush();
      operation.submit(loop, completion);
    }
  }

  @Override
  public void send(ByteBuffer message, Completion completion) {
    if (message.remaining() > Frame.MAX_MESSAGE_BYTES) {
      throw new IllegalArgumentException(
          "a message of "
              + message.remaining()
              + " bytes is longer than the "
              + Frame.MAX_MESSAGE_BYTES
              + " bytes that one can have");
    }
    Operation operation = take(completion);
    if (operation != null) {
      operation.send(message);
      operation.submit(loop, completion);
    }
  }

  /** A place for an operation; where there is none any more, tells the completion. */
  private Operation take(Completion completion) {
    Objects.requireNonNull(completion, "completion");
    Operation operation = slots.take();
    if (operation == null) {
      completion.completed(loopSide.failure());
    }
    return operation;
  }

  @Override
  public boolean isOpen() {
    return !slots.isClosed();
  }

  @Override
  public boolean peerMayWrite() {
    return loopSide.peerMayWrite();
  }

  @Override
  public void close() {
    slots.close();
    // When the loop takes nothing any more, the connection has ended with it.
    boolean taken = loop.submit(loopSide::close);
    assert taken || !isOpen();
  }

  @Override
  public void opened() {
    // Who accepted it or waits for it has it already.
  }

  @Override
  public void message(ByteBuffer message) {
    handler.onMessage(this, message);
  }

  @Override
  public void closed(IOException cause) {
    try {
      handler.onClosed(this, cause);
    } catch (RuntimeException e) {
      LOG.error("the handler of the connection to {} failed at its end", remoteAddress(), e);
    }
  }
}
