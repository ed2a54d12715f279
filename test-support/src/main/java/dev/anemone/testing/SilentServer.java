// SPDX-License-Identifier: Apache-2.0
package dev.anemone.testing;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/**
 * A stand-in for a host that is powered off: what is sent to it is dropped, so that nobody can
 * connect and nobody is refused. It is a server that accepts nobody, whose backlog is full.
 */
public final class SilentServer implements Closeable {

  private static final int FULL_MILLIS = 300;

  /** Connections that the backlog may take, which Linux makes one longer than it is told. */
  private static final int MOST = 64;

  private final ServerSocket server;
  private final List<Socket> waiting = new ArrayList<>();

  /**
   * Listens, and lets nobody in.
   *
   * @param port 0 for any that is free
   * @throws IOException when the port is taken, or a backlog has no end on this machine
   */
  public SilentServer(InetAddress host, int port) throws IOException {
    server = new ServerSocket(port, 1, host);
    try {
      while (connects()) {
        if (waiting.size() == MOST) {
          throw new IOException("the backlog of a server has no end here");
        }
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private boolean connects() throws IOException {
    Socket socket = new Socket();
    waiting.add(socket);
    try {
      socket.connect(address(), FULL_MILLIS);
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  /** Where nobody can connect. */
  public InetSocketAddress address() {
    return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
  }

  @Override
  public void close() throws IOException {
    for (Socket socket : waiting) {
      socket.close();
    }
    server.close();
  }
}
