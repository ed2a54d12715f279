// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * A connection to a node that reads into direct buffers, without the copies through the heap that
 * the streams of a socket make, and waits no longer than a timeout. A thread that is interrupted
 * does not wait at all. Used by one thread at a time.
 */
final class NodeChannel implements ReadableByteChannel {

  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey key;
  private final int timeoutMillis;

  private NodeChannel(
      SocketChannel channel, Selector selector, SelectionKey key, int timeoutMillis) {
    this.channel = channel;
    this.selector = selector;
    this.key = key;
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * Connects.
   *
   * @param connectMillis the longest that this may take
   * @param timeoutMillis the longest that the other side may neither send nor take anything
   * @throws SocketTimeoutException when it takes longer
   */
  static NodeChannel connect(InetSocketAddress address, int connectMillis, int timeoutMillis)
      throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.socket().connect(address, connectMillis);
      channel.configureBlocking(false);
      Selector selector = Selector.open();
      try {
        return new NodeChannel(channel, selector, channel.register(selector, 0), timeoutMillis);
      } catch (IOException e) {
        try (selector) {
          throw e;
        }
      }
    } catch (IOException e) {
      try (channel) {
        throw e;
      }
    }
  }

  /**
   * Reads what is there, waiting for at least one byte.
   *
   * @return how many bytes, or -1 when the other side sends no more
   * @throws SocketTimeoutException when nothing comes for the timeout
   */
  @Override
  public int read(ByteBuffer target) throws IOException {
    requireNoInterrupt();
    int count = channel.read(target);
    while (count == 0) {
      await(SelectionKey.OP_READ);
      count = channel.read(target);
    }
    return count;
  }

  /**
   * Sends all of a buffer.
   *
   * @throws SocketTimeoutException when the other side takes nothing for the timeout
   */
  void write(ByteBuffer source) throws IOException {
    requireNoInterrupt();
    while (source.hasRemaining()) {
      if (channel.write(source) == 0) {
        await(SelectionKey.OP_WRITE);
      }
    }
  }

  private void await(int operation) throws IOException {
    key.interestOps(operation);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    for (long left = timeoutMillis; left > 0; left = millisUntil(end)) {
      if (selector.select(ready -> {}, left) > 0) {
        return;
      }
      requireNoInterrupt();
    }
    throw new SocketTimeoutException("nothing has happened for " + timeoutMillis + " ms");
  }

  /** Rounded up: to wait for no time is to wait for ever. */
  private static long millisUntil(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos - System.nanoTime() + 999_999);
  }

  private void requireNoInterrupt() throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      close();
      throw new ClosedByInterruptException();
    }
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    try (selector) {
      channel.close();
    }
  }
}
