// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.remote;

import dev.anemone.evaluation.lab.remote.LoadProgram.Direction;
import dev.anemone.evaluation.lab.remote.LoadProgram.LoadClient;
import java.io.EOFException;
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
record NioTarget(ByteBuffer memory) {
  static final int HEADER_BYTES = 16;
  static final int READ = 0;
  static final int WRITE = 1;
  static final int FLUSH = 2;

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

  /** The least that a Java program can do: a blocking socket, a header and the bytes. */
  static final class NioClient implements LoadClient {
    private final SocketChannel channel;
    private final long offset;
    private final int window;
    private final ByteBuffer header = ByteBuffer.allocateDirect(NioTarget.HEADER_BYTES);
    private final ByteBuffer local = ByteBuffer.allocateDirect(TargetProgram.SLOT_BYTES);
    private final ByteBuffer[] request = {header, local};

    /**
     * @param offset of this client's part of the target's memory
     * @param window reads under way at a time; writes are under way as the sockets' buffers allow
     */
    NioClient(InetSocketAddress target, long offset, int window) throws IOException {
      this.offset = offset;
      this.window = window;
      this.channel = SocketChannel.open(target);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    @Override
    public long operate(Direction direction, int bytes, long nanos) throws IOException {
      return direction == Direction.READ ? read(bytes, nanos) : write(bytes, nanos);
    }

    private long write(int bytes, long nanos) throws IOException {
      long begin = System.nanoTime();
      long operations = 0;
      while (System.nanoTime() - begin < nanos) {
        putHeader(NioTarget.WRITE, bytes);
        local.clear().limit(bytes);
        while (local.hasRemaining()) {
          channel.write(request);
        }
        operations++;
      }
      putHeader(NioTarget.FLUSH, 1);
      send();
      receive(1);
      return operations;
    }

    private long read(int bytes, long nanos) throws IOException {
      long begin = System.nanoTime();
      long asked = 0;
      long received = 0;
      while (System.nanoTime() - begin < nanos) {
        while (asked - received < window) {
          putHeader(NioTarget.READ, bytes);
          send();
          asked++;
        }
        receive(bytes);
        received++;
      }
      while (received < asked) {
        receive(bytes);
        received++;
      }
      return received;
    }

    private void putHeader(int operation, int bytes) {
      header.clear().putInt(operation).putInt(bytes).putLong(offset).flip();
    }

    private void send() throws IOException {
      while (header.hasRemaining()) {
        channel.write(header);
      }
    }

    private void receive(int bytes) throws IOException {
      local.clear().limit(bytes);
      while (local.hasRemaining()) {
        if (channel.read(local) < 0) {
          throw new EOFException("the target has closed the connection");
        }
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
