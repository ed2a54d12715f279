// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.netty;

import dev.anemone.runtime.push.protocol.ReceiverHandshake;
import dev.anemone.runtime.push.protocol.Refusal;
import dev.anemone.runtime.push.protocol.Reply;
import dev.anemone.runtime.push.protocol.SenderHandshake;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.Optional;

/**
 * Introduces a sender to a receiver, and goes when the receiver has let it in. Used by the thread
 * of its event loop.
 */
final class GreetingHandler extends ByteToMessageDecoder {

  private final SenderHandshake handshake;
  private final NettySenderConnection connection;

  GreetingHandler(SenderHandshake handshake, NettySenderConnection connection) {
    this.handshake = handshake;
    this.connection = connection;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    send(ctx, handshake.greeting(ctx.alloc()));
    ctx.fireChannelActive();
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (in.readableBytes() < Reply.BYTES) {
      return;
    }
    int start = in.readerIndex();
    Reply kind = Reply.of(in.readByte());
    int argument = in.readInt();
    if (kind == Reply.REFUSED) {
      end(in, "it does not let this task in: " + Refusal.reason(argument));
    } else if (kind == Reply.WELCOME && handshake.isAnswered()) {
      connection.welcome();
      ctx.pipeline().remove(this);
    } else if (kind != Reply.CHALLENGE
        || handshake.isAnswered()
        || argument != ReceiverHandshake.CHALLENGE_BYTES) {
      end(in, "it does not speak the push protocol");
    } else if (in.readableBytes() < argument) {
      in.readerIndex(start);
    } else {
      answer(ctx, in);
    }
  }

  private void answer(ChannelHandlerContext ctx, ByteBuf challenge) {
    Optional<ByteBuf> answer = handshake.answer(challenge, ctx.alloc());
    if (answer.isPresent()) {
      send(ctx, answer.get());
    } else {
      end(challenge, "it does not know the secret of this job");
    }
  }

  private static void send(ChannelHandlerContext ctx, ByteBuf bytes) {
    ctx.writeAndFlush(bytes).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
  }

  /** Leaves nothing that would be read once more when the connection closes. */
  private void end(ByteBuf in, String reason) {
    in.skipBytes(in.readableBytes());
    connection.disconnect(reason);
  }
}
