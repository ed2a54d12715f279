// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.testing;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** A client that sends what no library would. */
public final class RawHttp implements AutoCloseable {

  private static final int PATIENCE_MS = 30_000;

  private final Socket socket;

  private RawHttp(Socket socket) {
    this.socket = socket;
  }

  /** Connects. */
  public static RawHttp open(InetSocketAddress server) throws IOException {
    Socket socket = new Socket(server.getAddress(), server.getPort());
    socket.setSoTimeout(PATIENCE_MS);
    socket.setTcpNoDelay(true);
    return new RawHttp(socket);
  }

  /** Sends a request, and returns all that comes until the server hangs up. */
  public static String send(InetSocketAddress server, String request) throws IOException {
    try (RawHttp client = open(server)) {
      client.send(request);
      return client.rest();
    }
  }

  /** Sends. */
  public void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Sends, or learns that the server has hung up. */
  public boolean canSend(String text) {
    try {
      send(text);
      socket.setSoTimeout(10);
      return socket.getInputStream().read() >= 0;
    } catch (SocketTimeoutException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** All that comes until the server hangs up. */
  public String rest() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
