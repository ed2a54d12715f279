// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The bytes that come over a connection, read through one direct buffer. A connection that ends too
 * early is a {@link TransientFailureException}, never an end of this stream. Used by one thread at
 * a time.
 */
final class AnswerBytes extends InputStream {

  private final ReadableByteChannel in;
  private final int timeoutMillis;

  /** Between position and limit is what has come and was not taken. */
  private final ByteBuffer bytes;

  private final ByteBuffer view;
  private long count;
  private long bodyEnd = Long.MAX_VALUE;

  /**
   * Bytes of a connection.
   *
   * @param in waits no longer than a timeout
   * @param timeoutMillis that timeout, for messages
   * @param buffer for these alone
   */
  AnswerBytes(ReadableByteChannel in, int timeoutMillis, ByteBuffer buffer) {
    this.in = in;
    this.timeoutMillis = timeoutMillis;
    this.bytes = buffer.clear().limit(0);
    this.view = buffer.duplicate();
  }

  /** Bytes that were taken so far. */
  long count() {
    return count;
  }

  /** Whether there are bytes that have come and were not taken. */
  boolean hasMore() {
    return bytes.hasRemaining();
  }

  /**
   * Says that what comes next is a body; reading further is an {@link IOException} until its end.
   */
  void beginBody(long length) {
    bodyEnd = count + length;
  }

  /** Says that what comes next is the head of an answer. */
  void beginHead() {
    bodyEnd = Long.MAX_VALUE;
  }

  /** What is left of the body. */
  long bodyLeft() {
    return bodyEnd - count;
  }

  /**
   * Some bytes, at least one and at most so many, which the caller uses before it calls anything
   * else here.
   */
  ByteBuffer piece(long most) throws IOException {
    require();
    int start = bytes.position();
    int length = (int) Math.min(Math.min(most, bodyLeft()), bytes.remaining());
    bytes.position(start + length);
    count += length;
    return view.limit(start + length).position(start);
  }

  /** A line without its end; its bytes are taken for Latin-1, as HTTP has it. */
  String line(int mostBytes) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = read(); c != '\n'; c = read()) {
      if (line.length() == mostBytes) {
        throw new IOException("its answer has a line of more than " + mostBytes + " bytes");
      }
      line.append((char) c);
    }
    int length = line.length();
    if (length > 0 && line.charAt(length - 1) == '\r') {
      line.setLength(length - 1);
    }
    return line.toString();
  }

  /** All of the body that is left, at most so many bytes, as UTF-8. */
  String text(int mostBytes) throws IOException {
    byte[] text = readNBytes((int) Math.min(mostBytes, bodyLeft()));
    return new String(text, StandardCharsets.UTF_8);
  }

  @Override
  public int read() throws IOException {
    require();
    count++;
    return bytes.get() & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    ByteBuffer piece = piece(length);
    int n = piece.remaining();
    piece.get(target, offset, n);
    return n;
  }

  /** Waits until there is a byte that may be taken. */
  private void require() throws IOException {
    if (bodyLeft() <= 0) {
      throw new IOException("its answer is shorter than what it announces");
    }
    if (!bytes.hasRemaining()) {
      fill();
    }
  }

  private void fill() throws IOException {
    int n;
    bytes.clear();
    try {
      n = in.read(bytes);
    } catch (IOException e) {
      throw NetworkFailure.reading("the connection has failed", timeoutMillis, e);
    } finally {
      bytes.flip();
    }
    if (n < 0) {
      throw new TransientFailureException(
          bodyEnd == Long.MAX_VALUE
              ? "it has closed the connection without a whole answer"
              : "it has closed the connection with " + bodyLeft() + " bytes still to come");
    }
  }
}
