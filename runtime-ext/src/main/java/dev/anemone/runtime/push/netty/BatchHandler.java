// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.netty;

import dev.anemone.runtime.push.ArrivingBatch;
import dev.anemone.runtime.push.BatchGate;
import dev.anemone.runtime.push.ProducerLog;
import dev.anemone.runtime.push.ProducerLog.Admission;
import dev.anemone.runtime.push.PushReceiver;
import dev.anemone.runtime.push.protocol.PushProtocol;
import dev.anemone.runtime.push.protocol.Reply;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.CorruptedFrameException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the batches of a sender into its log and answers them. Bytes of entries are copied once,
 * from the network's buffer into pages. Used by the thread of its event loop.
 */
final class BatchHandler extends ChannelInboundHandlerAdapter {

  private static final Logger LOG = LoggerFactory.getLogger(BatchHandler.class);

  /** What comes next. */
  private enum State {
    HEADER,
    TABLE,
    /** Nothing is read: there is no memory for a batch, whose table was read. */
    WAITING,
    PAYLOAD,
    /** The bytes of a batch that was refused. */
    SKIPPED_PAYLOAD,
    CLOSED
  }

  private final PushReceiver receiver;
  private final ProducerLog log;
  private final Queue<ByteBuf> unread = new ArrayDeque<>();
  private ChannelHandlerContext context;
  private BatchGate gate;
  private ByteBuf gathered;
  private int wanted;
  private State state;
  private final ArrivingBatch batch = new ArrivingBatch();
  private int lastNumber = -1;
  private long payloadLeft;

  /**
   * A handler.
   *
   * @param log where batches go; no other connection writes it
   */
  BatchHandler(PushReceiver receiver, ProducerLog log) {
    this.receiver = receiver;
    this.log = log;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    gate = new BatchGate(receiver, log, ctx.executor(), ctx.executor(), this::resume);
    gathered = ctx.alloc().buffer();
    gather(State.HEADER, PushProtocol.BATCH_HEADER_BYTES);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    unread.add((ByteBuf) message);
    advance();
  }

  /** Goes on as far as there is something to read and memory for it. */
  private void advance() {
    try {
      while (state != State.WAITING && state != State.CLOSED && !unread.isEmpty()) {
        ByteBuf bytes = unread.element();
        step(bytes);
        if (!bytes.isReadable()) {
          unread.remove().release();
        }
      }
    } catch (CorruptedFrameException e) {
      fail(e.getMessage());
    }
    if (state == State.CLOSED) {
      releaseUnread();
    }
  }

  private void step(ByteBuf bytes) {
    switch (state) {
      case PAYLOAD -> readPayload(bytes);
      case SKIPPED_PAYLOAD -> skipPayload(bytes);
      default -> {
        int missing = wanted - gathered.readableBytes();
        gathered.writeBytes(bytes, Math.min(bytes.readableBytes(), missing));
        if (gathered.readableBytes() == wanted) {
          readGathered();
        }
      }
    }
  }

  private void gather(State next, int bytes) {
    gathered.clear();
    wanted = bytes;
    state = next;
  }

  private void readGathered() {
    if (state == State.TABLE) {
      readTable();
      return;
    }
    batch.readHeader(gathered, lastNumber);
    lastNumber = batch.number();
    gather(State.TABLE, batch.tableBytes());
  }

  private void readTable() {
    batch.measure(gathered);
    payloadLeft = batch.payloadBytes();
    Admission admission = gate.ask(batch);
    if (admission == null) {
      await();
    } else {
      decide(admission);
    }
  }

  /** Stops reading until there is memory, or no more time to wait for it. */
  private void await() {
    state = State.WAITING;
    context.channel().config().setAutoRead(false);
  }

  private void resume(Admission admission) {
    decide(admission);
    advance();
    if (state != State.WAITING) {
      context.channel().config().setAutoRead(true);
    }
  }

  private void decide(Admission admission) {
    switch (admission) {
      case BEGUN -> {
        state = State.PAYLOAD;
        if (log.append(batch, gathered, gathered.readableBytes())) {
          completeIfRead();
        } else {
          refuse(Reply.STALE);
        }
      }
      case NO_MEMORY, TOO_LARGE -> refuse(Reply.FULL);
      case CLOSED -> refuse(Reply.STALE);
    }
  }

  private void readPayload(ByteBuf bytes) {
    int count = (int) Math.min(bytes.readableBytes(), payloadLeft);
    if (log.append(batch, bytes, count)) {
      payloadLeft -= count;
      completeIfRead();
    } else {
      refuse(Reply.STALE);
    }
  }

  private void completeIfRead() {
    if (payloadLeft > 0) {
      return;
    }
    if (log.complete(batch)) {
      receiver.countBatch(batch.payloadBytes());
      gather(State.HEADER, PushProtocol.BATCH_HEADER_BYTES);
      reply(Reply.ACKNOWLEDGED);
    } else {
      refuse(Reply.STALE);
    }
  }

  private void refuse(Reply why) {
    receiver.countRefused();
    state = State.SKIPPED_PAYLOAD;
    endIfSkipped();
    reply(why);
  }

  private void skipPayload(ByteBuf bytes) {
    int count = (int) Math.min(bytes.readableBytes(), payloadLeft);
    bytes.skipBytes(count);
    payloadLeft -= count;
    endIfSkipped();
  }

  private void endIfSkipped() {
    if (payloadLeft == 0) {
      gather(State.HEADER, PushProtocol.BATCH_HEADER_BYTES);
    }
  }

  private void reply(Reply reply) {
    if (!context.channel().isWritable()) {
      fail("it does not read the replies to its batches");
      return;
    }
    writeAndFlush(reply.toBytes(batch.number(), context.alloc()));
  }

  /**
   * A failure is told to {@link #exceptionCaught}: a promise would be an object for each answer.
   */
  @SuppressWarnings("FutureReturnValueIgnored")
  private void writeAndFlush(ByteBuf bytes) {
    context.writeAndFlush(bytes, context.voidPromise());
  }

  private void fail(String reason) {
    LOG.warn("closing the push connection from {}: {}", context.channel().remoteAddress(), reason);
    close();
  }

  private void close() {
    state = State.CLOSED;
    context.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    state = State.CLOSED;
    gate.stop();
    releaseUnread();
    gathered.release();
    log.abandon();
    receiver.memoryFreed();
  }

  private void releaseUnread() {
    while (!unread.isEmpty()) {
      unread.remove().release();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof ClosedChannelException) {
      close();
    } else if (cause instanceof IOException) {
      fail(cause.getMessage());
    } else {
      LOG.warn("closing the push connection from {}", ctx.channel().remoteAddress(), cause);
      close();
    }
  }
}
