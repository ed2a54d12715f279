// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import dev.anemone.ndp.protocol.AnswerFrames;
import dev.anemone.ndp.protocol.NdpHttp;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Sends an answer as it is made, no faster than its client reads. For the thread of a plan; {@link
 * #wake} and {@link #isOpen} for any.
 */
final class AnswerChannel implements WritableByteChannel {

  private static final int FRAME_BYTES = 1 << 16;

  private final Channel client;
  private final Duration patience;
  private final ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES);
  private final CRC32C checksum = new CRC32C();
  private final Object change = new Object();
  private long bytes;
  private boolean started;

  /**
   * @param patience how long the client may read nothing
   */
  AnswerChannel(Channel client, Duration patience) {
    this.client = client;
    this.patience = patience;
  }

  /** Says that the client has read something, or gone away. */
  void wake() {
    synchronized (change) {
      change.notifyAll();
    }
  }

  @Override
  public boolean isOpen() {
    return client.isActive();
  }

  /** Bytes of the answer so far. */
  long bytes() {
    return bytes;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    int count = source.remaining();
    while (source.hasRemaining()) {
      int piece = Math.min(source.remaining(), frame.remaining());
      frame.put(source.slice().limit(piece));
      source.position(source.position() + piece);
      if (!frame.hasRemaining()) {
        sendFrame();
      }
    }
    return count;
  }

  /** Sends what is left and the last frame. */
  void finish(long rows) throws IOException {
    sendFrame();
    ByteBuf end = client.alloc().buffer(Integer.BYTES + AnswerFrames.END_BYTES);
    end.writeInt(AnswerFrames.END);
    end.writeLong(rows).writeLong(bytes).writeInt((int) checksum.getValue());
    sendLast(end);
  }

  /** Says that the plan failed; with a status of its own while nothing has been sent. */
  void fail(HttpResponseStatus status, String reason) {
    if (!started) {
      Replies.refuse(client, status, reason);
      return;
    }
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    byte[] bounded = Arrays.copyOf(text, Math.min(text.length, AnswerFrames.MAX_REASON_BYTES));
    ByteBuf end = client.alloc().buffer(2 * Integer.BYTES + bounded.length);
    end.writeInt(AnswerFrames.FAILED).writeInt(bounded.length).writeBytes(bounded);
    sendLast(end);
  }

  private void sendFrame() throws IOException {
    start();
    frame.flip();
    if (frame.hasRemaining()) {
      awaitRoom();
      checksum.update(frame.array(), 0, frame.limit());
      bytes += frame.limit();
      ByteBuf copy = client.alloc().buffer(Integer.BYTES + frame.limit());
      copy.writeInt(frame.limit()).writeBytes(frame);
      client
          .writeAndFlush(new DefaultHttpContent(copy))
          .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }
    frame.clear();
  }

  private void start() {
    if (!started) {
      started = true;
      HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
      head.headers()
          .set(HttpHeaderNames.CONTENT_TYPE, NdpHttp.ANSWER_TYPE)
          .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED)
          .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      client.write(head).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }
  }

  private void sendLast(ByteBuf end) {
    client.writeAndFlush(new DefaultLastHttpContent(end)).addListener(ChannelFutureListener.CLOSE);
  }

  private void awaitRoom() throws IOException {
    long due = System.nanoTime() + patience.toNanos();
    synchronized (change) {
      while (client.isActive() && !client.isWritable()) {
        long left = due - System.nanoTime();
        if (left <= 0) {
          throw new IOException("the client read nothing for " + patience.toMillis() + " ms");
        }
        try {
          change.wait(left / 1_000_000 + 1);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException("interrupted while an answer was sent", e);
        }
      }
    }
    if (!client.isActive()) {
      throw new IOException("the client went away");
    }
  }

  /** Breaks the connection off. */
  @Override
  public void close() {
    client.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
  }
}
