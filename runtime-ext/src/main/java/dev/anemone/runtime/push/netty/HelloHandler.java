// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.netty;

import dev.anemone.runtime.push.ProducerLog;
import dev.anemone.runtime.push.PushReceiver;
import dev.anemone.runtime.push.protocol.Hello;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.protocol.PushProtocol;
import dev.anemone.runtime.push.protocol.ReceiverHandshake;
import dev.anemone.runtime.push.protocol.Refusal;
import dev.anemone.runtime.push.protocol.RefusedException;
import dev.anemone.runtime.push.protocol.Reply;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.DecoderException;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a sender in or turns it away; then a {@link BatchHandler} takes its place. Used by the
 * thread of its event loop.
 */
final class HelloHandler extends ByteToMessageDecoder {

  private static final Logger LOG = LoggerFactory.getLogger(HelloHandler.class);

  private final PushReceiver receiver;
  private ScheduledFuture<?> deadline;

  /** Null until the sender has said hello. */
  private ReceiverHandshake handshake;

  HelloHandler(PushReceiver receiver) {
    this.receiver = receiver;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    long millis = receiver.introduction().toMillis();
    deadline =
        ctx.executor()
            .schedule(
                () -> close(ctx, "it has not introduced itself within " + millis + " ms"),
                millis,
                TimeUnit.MILLISECONDS);
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext ctx) {
    deadline.cancel(false);
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    try {
      if (handshake == null) {
        readGreeting(ctx, in);
      } else {
        readProof(ctx, in);
      }
    } catch (RefusedException e) {
      refuse(ctx, in, e.refusal());
    }
  }

  private void readGreeting(ChannelHandlerContext ctx, ByteBuf in) throws RefusedException {
    if (in.readableBytes() < PushProtocol.PREAMBLE_BYTES) {
      return;
    }
    int start = in.readerIndex();
    int magic = in.readInt();
    int version = in.readInt();
    int bytes = in.readInt();
    if (magic != PushProtocol.MAGIC) {
      throw corrupted(in, "it does not speak the push protocol");
    }
    if (version != PushProtocol.VERSION) {
      throw new RefusedException(Refusal.VERSION);
    }
    if (bytes < 0 || bytes > PushProtocol.MAX_HELLO_BYTES) {
      throw corrupted(in, "a hello of " + bytes + " bytes");
    }
    if (in.readableBytes() < bytes + JobSecret.NONCE_BYTES) {
      in.readerIndex(start);
      return;
    }
    Hello hello = Hello.of(in.readSlice(bytes));
    handshake = receiver.greet(hello, in);
    requireNoMore(in);
    ctx.writeAndFlush(handshake.challenge(ctx.alloc()))
        .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  private void readProof(ChannelHandlerContext ctx, ByteBuf in) throws RefusedException {
    if (in.readableBytes() < JobSecret.PROOF_BYTES) {
      return;
    }
    ByteBuf proof = in.readSlice(JobSecret.PROOF_BYTES);
    requireNoMore(in);
    ProducerLog log = receiver.admit(handshake, proof);
    ctx.writeAndFlush(Reply.WELCOME.toBytes(0, ctx.alloc()))
        .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    ctx.pipeline().replace(this, null, new BatchHandler(receiver, log));
  }

  /** So nothing is kept of a sender, but its greeting, that has not been let in. */
  private static void requireNoMore(ByteBuf in) {
    if (in.isReadable()) {
      throw corrupted(in, "it does not wait until it is let in");
    }
  }

  /** Leaves nothing that would be read once more when the connection closes. */
  private static CorruptedFrameException corrupted(ByteBuf in, String reason) {
    in.skipBytes(in.readableBytes());
    return new CorruptedFrameException(reason);
  }

  private void refuse(ChannelHandlerContext ctx, ByteBuf in, Refusal refusal) {
    receiver.refused(ctx.channel().remoteAddress(), refusal);
    in.skipBytes(in.readableBytes());
    ctx.channel().config().setAutoRead(false);
    ctx.writeAndFlush(Reply.REFUSED.toBytes(refusal.code(), ctx.alloc()))
        .addListener(ChannelFutureListener.CLOSE);
  }

  private static void close(ChannelHandlerContext ctx, String reason) {
    LOG.warn("closing the push connection from {}: {}", ctx.channel().remoteAddress(), reason);
    ctx.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    close(ctx, cause instanceof DecoderException ? cause.getMessage() : cause.toString());
  }
}
