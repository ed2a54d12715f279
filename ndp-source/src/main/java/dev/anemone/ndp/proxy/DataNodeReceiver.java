// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Takes what the data node answers to one request, in the event loop of its connection, and keeps
 * it for one reader, which may be slow: then the connection is not read any further.
 */
final class DataNodeReceiver extends ChannelInboundHandlerAdapter {

  static final long UNKNOWN_LENGTH = -1;

  /** Bytes that wait for the reader: while it works on some, the next ones come. */
  private static final int MOST_WAITING_BYTES = 4 << 20;

  private static final int FEW_WAITING_BYTES = MOST_WAITING_BYTES / 2;

  /** The head, then bytes of the body and its end, or why there is no more. */
  sealed interface Part {

    /**
     * The first one.
     *
     * @param length of the body in bytes, or {@link #UNKNOWN_LENGTH}
     */
    record Head(int status, long length) implements Part {}

    /** Who takes it releases the content. */
    record Bytes(ByteBuf content) implements Part {}

    /** There is no more. */
    record End() implements Part {}

    /**
     * There is no more, though there should be.
     *
     * @param reason what the data node does or did
     */
    record Failure(String reason) implements Part {}
  }

  private final HttpRequest request;
  private final BlockingQueue<Part> parts = new LinkedBlockingQueue<>();
  private final AtomicLong waitingBytes = new AtomicLong();
  private volatile boolean closed;

  /** For the reader; the event loop can have read from it before the reader knows it. */
  private Channel channel;

  /** Used by the event loop alone. */
  private boolean interim;

  private boolean ended;

  private DataNodeReceiver(HttpRequest request) {
    this.request = request;
  }

  /** Connects, and sends a request, which closes the connection when it has been answered. */
  static DataNodeReceiver start(DataNodeWay way, EventLoopGroup loops, HttpRequest request) {
    DataNodeReceiver receiver = new DataNodeReceiver(request);
    ChannelFuture connection = way.connect(loops, receiver);
    receiver.channel = connection.channel();
    connection.addListener(
        (ChannelFutureListener)
            connected -> {
              if (!connected.isSuccess()) {
                receiver.fail(
                    connected.channel(), "cannot be reached: " + connected.cause().getMessage());
              }
            });
    return receiver;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    context.writeAndFlush(request).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    context.fireChannelActive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    try {
      if (message instanceof HttpResponse response) {
        head(context.channel(), response);
      }
      if (message instanceof HttpContent content && !interim) {
        body(context.channel(), content);
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private void head(Channel from, HttpResponse response) {
    if (response.decoderResult().isFailure()) {
      fail(from, "answers with what is no HTTP");
      return;
    }
    interim = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
    if (!interim) {
      String length = response.headers().get(HttpHeaderNames.CONTENT_LENGTH);
      add(
          new Part.Head(
              response.status().code(), length == null ? UNKNOWN_LENGTH : Long.parseLong(length)));
    }
  }

  private void body(Channel from, HttpContent content) {
    if (content.decoderResult().isFailure()) {
      fail(from, "broke its answer off: " + content.decoderResult().cause().getMessage());
      return;
    }
    int bytes = content.content().readableBytes();
    if (bytes > 0) {
      if (waitingBytes.addAndGet(bytes) > MOST_WAITING_BYTES) {
        from.config().setAutoRead(false);
      }
      add(new Part.Bytes(content.content().retain()));
    }
    if (content instanceof LastHttpContent) {
      end(from, new Part.End());
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    fail(context.channel(), "closed the connection before it had answered");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    fail(context.channel(), "cannot be read from: " + cause.getMessage());
  }

  private void fail(Channel of, String reason) {
    end(of, new Part.Failure(reason));
  }

  private void end(Channel of, Part last) {
    if (!ended) {
      ended = true;
      add(last);
      of.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }
  }

  private void add(Part part) {
    parts.add(part);
    if (closed) {
      release();
    }
  }

  /**
   * The next part, for the reader; null when none comes in time.
   *
   * @throws InterruptedException when the thread is interrupted
   */
  Part next(long nanos) throws InterruptedException {
    Part part = parts.poll(nanos, TimeUnit.NANOSECONDS);
    if (part instanceof Part.Bytes bytes) {
      int count = bytes.content().readableBytes();
      long left = waitingBytes.addAndGet(-count);
      if (left <= FEW_WAITING_BYTES && left + count > FEW_WAITING_BYTES) {
        // There, since it is there that reading is stopped: the later one has the last word.
        channel.eventLoop().execute(() -> channel.config().setAutoRead(true));
      }
    }
    return part;
  }

  /** Whether there is a part for which nobody has to wait. */
  boolean hasNext() {
    return !parts.isEmpty();
  }

  /** Breaks the answer off if it is not at its end. */
  void close() {
    closed = true;
    channel.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    release();
  }

  /** By the reader and by the event loop, as what comes while it is closed is either's. */
  private void release() {
    for (Part part = parts.poll(); part != null; part = parts.poll()) {
      if (part instanceof Part.Bytes bytes) {
        bytes.content().release();
      }
    }
  }
}
