// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolthroughput;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * A client over a plain blocking socket, the least that a Java program can do: a header and the
 * bytes, which the other side puts where the header says. See {@link NioTarget}.
 */
final class NioClient implements LoadClient {
  private final SocketChannel channel;
  private final long offset;
  private final int window;
  private final ByteBuffer header = ByteBuffer.allocateDirect(NioTarget.HEADER_BYTES);
  private final ByteBuffer local = ByteBuffer.allocateDirect(TargetProgram.SLOT_BYTES);
  private final ByteBuffer[] request = {header, local};

  /**
   * Connects.
   *
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
