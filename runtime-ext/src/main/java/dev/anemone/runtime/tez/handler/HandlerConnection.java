// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * A connection to a shuffle handler, over which one request is made after the other. Used by one
 * thread at a time.
 */
final class HandlerConnection implements Closeable {

  private final BlockLocation location;
  private final NodeChannel channel;
  private final ReadBuffers buffers;
  private final AnswerBytes answers;

  /** Null when it was given back. */
  private ByteBuffer buffer;

  private long usableUntil;

  private HandlerConnection(
      BlockLocation location, NodeChannel channel, int readMillis, ReadBuffers buffers) {
    this.location = location;
    this.channel = channel;
    this.buffers = buffers;
    this.buffer = buffers.take();
    this.answers = new AnswerBytes(channel, readMillis, buffer);
  }

  /**
   * Connects.
   *
   * @param buffers lend one for as long as the connection is open
   * @throws TransientFailureException when it cannot
   * @throws java.io.InterruptedIOException when the thread is interrupted
   */
  static HandlerConnection open(BlockLocation location, FetchSettings settings, ReadBuffers buffers)
      throws IOException {
    InetSocketAddress address = new InetSocketAddress(location.host(), location.port());
    if (address.isUnresolved()) {
      throw new TransientFailureException("there is no address for the name " + location.host());
    }
    int readMillis = (int) settings.readTimeout().toMillis();
    NodeChannel channel;
    try {
      channel =
          NodeChannel.connect(address, (int) settings.connectTimeout().toMillis(), readMillis);
    } catch (IOException e) {
      throw NetworkFailure.of("it cannot be reached", e);
    }
    return new HandlerConnection(location, channel, readMillis, buffers);
  }

  BlockLocation location() {
    return location;
  }

  /** What comes over the connection. */
  AnswerBytes answers() {
    return answers;
  }

  /** Sends a request and reads the head of the answer. */
  AnswerHead ask(byte[] request) throws IOException {
    answers.beginHead();
    try {
      channel.write(ByteBuffer.wrap(request));
    } catch (IOException e) {
      throw NetworkFailure.of("the connection has failed", e);
    }
    return AnswerHead.read(answers);
  }

  /**
   * Says how long the handler keeps the connection from now on. A fifth less is counted on, for the
   * way that the next request takes.
   */
  void keptFor(Duration duration) {
    usableUntil = System.nanoTime() + duration.toNanos() / 5 * 4;
  }

  /** Whether the handler keeps the connection still. */
  boolean isUsable() {
    return usableUntil - System.nanoTime() > 0;
  }

  /** Nothing that {@link #answers} gave may be used any more. */
  @Override
  public void close() throws IOException {
    ByteBuffer lent = buffer;
    buffer = null;
    if (lent != null) {
      buffers.give(lent);
      channel.close();
    }
  }
}
