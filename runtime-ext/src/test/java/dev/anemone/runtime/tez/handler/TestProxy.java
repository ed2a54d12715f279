// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import dev.anemone.runtime.transfer.announcement.BlockLocation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Stands between clients and a node, and meddles with what the node answers. */
final class TestProxy implements AutoCloseable {

  private static final Pattern CONTENT_LENGTH = Pattern.compile("content-length: (\\d+)");

  private final ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  private final BlockLocation node;
  private final Meddling meddling;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final CountDownLatch hanging = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread accepting;

  /** What becomes of the answers over a connection. */
  @FunctionalInterface
  interface Meddling {

    /**
     * Passes answers on; when this returns, the connection is closed.
     *
     * @param connection 1 for the first
     */
    void pass(TestProxy proxy, int connection, InputStream answers, OutputStream client)
        throws IOException, InterruptedException;

    /** None. */
    static Meddling none() {
      return (proxy, connection, answers, client) -> answers.transferTo(client);
    }

    /** Passes so many bytes on, and ends. */
    static Meddling cutAfter(int bytes) {
      return (proxy, connection, answers, client) -> passSome(answers, client, bytes);
    }

    /** Passes so many bytes on and then none, but does not end. */
    static Meddling hangAfter(int bytes) {
      return (proxy, connection, answers, client) -> {
        passSome(answers, client, bytes);
        proxy.hanging.countDown();
        proxy.awaitClosed();
      };
    }

    /** Changes each answer. */
    static Meddling edit(Edit edit) {
      return (proxy, connection, answers, client) -> {
        while (true) {
          String head = readHead(answers);
          if (head.isEmpty()) {
            return;
          }
          Matcher length = CONTENT_LENGTH.matcher(head);
          byte[] body = answers.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
          ByteArrayOutputStream edited = new ByteArrayOutputStream();
          edit.edit(head, body, edited);
          client.write(edited.toByteArray());
        }
      };
    }

    /** The same for one connection, and no meddling with the others. */
    default Meddling only(int one) {
      return (proxy, connection, answers, client) ->
          (connection == one ? this : none()).pass(proxy, connection, answers, client);
    }

    private static void passSome(InputStream answers, OutputStream client, int bytes)
        throws IOException {
      byte[] buffer = new byte[1 << 14];
      for (int left = bytes; left > 0; ) {
        int n = answers.read(buffer, 0, Math.min(left, buffer.length));
        if (n < 0) {
          throw new IOException("the node sends " + left + " bytes less than are to be passed on");
        }
        client.write(buffer, 0, n);
        left -= n;
      }
    }
  }

  /** Changes an answer. */
  @FunctionalInterface
  interface Edit {

    /**
     * Writes an answer in place of this one; the head is Latin-1, with the empty line at its end.
     */
    void edit(String head, byte[] body, ByteArrayOutputStream edited) throws IOException;
  }

  TestProxy(BlockLocation node, Meddling meddling) throws IOException {
    this.node = node;
    this.meddling = meddling;
    accepting = start(this::accept);
  }

  BlockLocation location() {
    return new BlockLocation(server.getInetAddress().getHostAddress(), server.getLocalPort());
  }

  /** How many connections there have been. */
  int connections() {
    return connections.get();
  }

  /** Waits until the proxy hangs. */
  void awaitHanging() throws InterruptedException {
    if (!hanging.await(10, TimeUnit.SECONDS)) {
      throw new AssertionError("nothing came through that could hang");
    }
  }

  private void awaitClosed() throws InterruptedException {
    if (!closed.await(60, TimeUnit.SECONDS)) {
      throw new AssertionError("the proxy was not closed");
    }
  }

  private static String readHead(InputStream answers) throws IOException {
    StringBuilder head = new StringBuilder();
    for (int c = answers.read(); c >= 0; c = answers.read()) {
      head.append((char) c);
      if (head.length() >= 4 && head.substring(head.length() - 4).equals("\r\n\r\n")) {
        break;
      }
    }
    return head.toString();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = server.accept();
      sockets.add(client);
      int connection = connections.incrementAndGet();
      Socket toNode = new Socket(node.host(), node.port());
      sockets.add(toNode);
      client.setTcpNoDelay(true);
      toNode.setTcpNoDelay(true);
      start(
          () -> {
            client.getInputStream().transferTo(toNode.getOutputStream());
            toNode.shutdownOutput();
          });
      start(
          () -> {
            try (client;
                toNode) {
              meddling.pass(this, connection, toNode.getInputStream(), client.getOutputStream());
            }
          });
    }
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private static Thread start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // A socket was closed, at the latest by the proxy's end: then this ends, too.
                return;
              } catch (InterruptedException e) {
                throw new AssertionError("nobody interrupts this thread", e);
              }
            },
            "test-proxy");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /**
   * Closes the port and all connections. The kernel keeps a port open for as long as a thread is
   * still on its way out of {@code accept}, and gives that thread one more connection; so this
   * waits until the thread has left.
   */
  @Override
  public void close() throws IOException {
    closed.countDown();
    server.close();
    try {
      accepting.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts this thread", e);
    }
    if (accepting.isAlive()) {
      throw new AssertionError("the proxy has accepted for 10 s after its port was closed");
    }
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
