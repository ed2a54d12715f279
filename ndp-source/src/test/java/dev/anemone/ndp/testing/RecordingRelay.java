// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What stands between two on the network: hands on what they send, and reads it. */
public final class RecordingRelay implements AutoCloseable {

  private final ServerSocket server;
  private final InetSocketAddress target;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ByteArrayOutputStream read = new ByteArrayOutputStream();

  public RecordingRelay(InetSocketAddress target) throws IOException {
    this.target = target;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::serve);
  }

  public InetSocketAddress address() {
    return (InetSocketAddress) server.getLocalSocketAddress();
  }

  /** All that was sent through it, byte by byte. */
  public String text() {
    synchronized (read) {
      return read.toString(StandardCharsets.ISO_8859_1);
    }
  }

  private void serve() {
    try {
      while (true) {
        Socket client = server.accept();
        Socket backend = new Socket(target.getAddress(), target.getPort());
        threads.execute(() -> copy(client, backend));
        threads.execute(() -> copy(backend, client));
      }
    } catch (IOException closed) {
      // There are no more.
    }
  }

  private void copy(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] piece = new byte[1 << 14];
      for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
        synchronized (read) {
          read.write(piece, 0, count);
        }
        out.write(piece, 0, count);
      }
    } catch (IOException closed) {
      // One of them has gone.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    threads.shutdownNow();
  }
}
