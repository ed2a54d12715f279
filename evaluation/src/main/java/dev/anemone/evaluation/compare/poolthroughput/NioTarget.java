// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolthroughput;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * The target of {@link NioClient}s: a thread for each connection, which blocks. A request is four
 * bytes that say what to do, the length, and where in the memory; behind a write's come its bytes,
 * a read is answered with its bytes and a flush with one.
 */
final class NioTarget {
  static final int HEADER_BYTES = 16;
  static final int READ = 0;
  static final int WRITE = 1;
  static final int FLUSH = 2;

  private final ByteBuffer memory;

  private NioTarget(ByteBuffer memory) {
    this.memory = memory;
  }

  /** Serves memory until this process ends; returns the port. */
  static int listen(ByteBuffer memory) throws IOException {
    ServerSocketChannel server =
        ServerSocketChannel.open()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    NioTarget target = new NioTarget(memory);
    start(() -> target.accept(server));
    return ((InetSocketAddress) server.getLocalAddress()).getPort();
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept(ServerSocketChannel server) {
    try {
      while (true) {
        SocketChannel channel = server.accept();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        start(() -> serve(channel));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void serve(SocketChannel channel) {
    ByteBuffer header = ByteBuffer.allocateDirect(HEADER_BYTES);
    try (channel) {
      while (receive(channel, header.clear())) {
        header.flip();
        int operation = header.getInt();
        int length = header.getInt();
        ByteBuffer part = memory.slice(Math.toIntExact(header.getLong()), length);
        if (operation != WRITE) {
          while (part.hasRemaining()) {
            channel.write(part);
          }
        } else if (!receive(channel, part)) {
          throw new IOException("a client has gone in the middle of a write");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fills a buffer; false when the client has gone. */
  private static boolean receive(SocketChannel channel, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        return false;
      }
    }
    return true;
  }
}
