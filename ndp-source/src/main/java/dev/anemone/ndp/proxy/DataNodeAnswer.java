// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import dev.anemone.ndp.proxy.DataNodeReceiver.Part;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Objects;

/**
 * What the data node answers to one request; the body is this stream. It never waits without a
 * deadline. For one reader, which closes it.
 */
final class DataNodeAnswer extends InputStream {

  private final Duration patience;
  private final long deadlineNanos;
  private final DataNodeReceiver receiver;
  private final Part.Head head;
  private ByteBuf current = Unpooled.EMPTY_BUFFER;
  private boolean ended;

  /**
   * Asks, and waits for the head of the answer.
   *
   * @param deadline how long all of the answer may take
   * @throws HttpTimeoutException when nothing arrives for longer than the way has patience
   */
  DataNodeAnswer(DataNodeWay way, EventLoopGroup loops, HttpRequest request, Duration deadline)
      throws IOException {
    this.patience = way.patience();
    this.deadlineNanos = System.nanoTime() + deadline.toNanos();
    this.receiver = DataNodeReceiver.start(way, loops, request);
    try {
      if (!(take() instanceof Part.Head first)) {
        throw new IOException("the data node's answer begins without a head");
      }
      this.head = first;
    } catch (IOException | RuntimeException e) {
      receiver.close();
      throw e;
    }
  }

  /** HTTP's number for what came of the request. */
  int status() {
    return head.status();
  }

  /** Of the body in bytes, or {@link DataNodeReceiver#UNKNOWN_LENGTH}. */
  long length() {
    return head.length();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Waits for the first bytes alone; more are those that are there.
   *
   * @throws HttpTimeoutException when nothing arrives for too long, or all takes too long
   */
  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    int done = 0;
    while (done < length && !ended && (done == 0 || current.isReadable() || receiver.hasNext())) {
      if (current.isReadable()) {
        int count = Math.min(length - done, current.readableBytes());
        current.readBytes(target, offset + done, count);
        done += count;
      } else {
        advance();
      }
    }
    return done == 0 && length > 0 ? -1 : done;
  }

  private void advance() throws IOException {
    current.release();
    current = Unpooled.EMPTY_BUFFER;
    if (take() instanceof Part.Bytes bytes) {
      current = bytes.content();
    } else {
      ended = true;
    }
  }

  private Part take() throws IOException {
    long left = deadlineNanos - System.nanoTime();
    Part part;
    try {
      part = receiver.next(Math.min(left, patience.toNanos()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the data node was asked", e);
    }
    if (part == null) {
      throw new HttpTimeoutException(
          left < patience.toNanos()
              ? "the data node's answer was not there at its deadline"
              : "the data node sent nothing for " + patience.toMillis() + " ms");
    }
    if (part instanceof Part.Failure failure) {
      throw new IOException("the data node " + failure.reason());
    }
    return part;
  }

  /** Breaks the answer off if it is not at its end. */
  @Override
  public void close() {
    ended = true;
    current.release();
    current = Unpooled.EMPTY_BUFFER;
    receiver.close();
  }
}
