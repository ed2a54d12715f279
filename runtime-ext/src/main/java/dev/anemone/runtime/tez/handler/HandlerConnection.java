// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/**
 * A connection to a shuffle handler, over which one request is made after the other. The socket is
 * that of a channel, so that a thread which is interrupted does not wait for it any longer. Used by
 * one thread at a time.
 */
final class HandlerConnection implements Closeable {

  private final BlockLocation location;
  private final SocketChannel channel;
  private final OutputStream out;
  private final AnswerBytes answers;
  private long usableUntil;

  private HandlerConnection(
      BlockLocation location, SocketChannel channel, OutputStream out, AnswerBytes answers) {
    this.location = location;
    this.channel = channel;
    this.out = out;
    this.answers = answers;
  }

  /**
   * Connects.
   *
   * @throws TransientFailureException when it cannot
   * @throws java.io.InterruptedIOException when the thread is interrupted
   */
  static HandlerConnection open(BlockLocation location, FetchSettings settings) throws IOException {
    InetSocketAddress address = new InetSocketAddress(location.host(), location.port());
    if (address.isUnresolved()) {
      throw new TransientFailureException("there is no address for the name " + location.host());
    }
    int readMillis = (int) settings.readTimeout().toMillis();
    SocketChannel channel = SocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.socket().connect(address, (int) settings.connectTimeout().toMillis());
      channel.socket().setSoTimeout(readMillis);
      return new HandlerConnection(
          location,
          channel,
          channel.socket().getOutputStream(),
          new AnswerBytes(channel.socket().getInputStream(), readMillis));
    } catch (IOException e) {
      channel.close();
      throw NetworkFailure.of("it cannot be reached", e);
    }
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
      out.write(request);
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

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
