// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.rdma.transport.Await;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.Listener;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Clients whose connection the kernel has made, and whose first bytes come when the server is
 * ending, as after a network that was cut: UCX ended the process for them.
 */
@ExtendWith(RequiresUcx.class)
class LateClientsTest {

  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final int ROUNDS = 5;
  private static final int CLIENTS = 100;

  /** Between two clients, so that they come all through the end of the transport. */
  private static final long BETWEEN_NANOS = 100_000;

  @Test
  void whoSpeaksWhileTheServerEndsIsRejected() throws Exception {
    byte[] greeting = greeting();
    assertThat(greeting).isNotEmpty();
    for (int round = 0; round < ROUNDS; round++) {
      Transport transport = new UcxTransportProvider().open();
      InetSocketAddress address = listen(transport).address();
      long sockets = sockets();
      List<Socket> clients = connect(address);
      CompletableFuture<Void> greetings =
          CompletableFuture.runAsync(() -> greetLate(clients, greeting));
      transport.close();
      greetings.get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
      for (Socket client : clients) {
        client.setSoTimeout((int) DEADLINE.toMillis());
        client.getInputStream().read();
        client.close();
      }
      Await.until("UCX has closed its ends", () -> sockets() <= sockets);
    }
  }

  private static long sockets() {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.filter(LateClientsTest::isSocket).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isSocket(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
    } catch (IOException e) {
      return false; // closed meanwhile
    }
  }

  private static Listener listen(Transport transport) throws IOException {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return transport.listen(anyPort, connection -> new Silent());
  }

  private static List<Socket> connect(InetSocketAddress address) throws IOException {
    List<Socket> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new Socket(address.getAddress(), address.getPort()));
    }
    return clients;
  }

  private static void greetLate(List<Socket> clients, byte[] greeting) {
    try {
      for (Socket client : clients) {
        client.getOutputStream().write(greeting);
        long next = System.nanoTime() + BETWEEN_NANOS;
        while (System.nanoTime() < next) {
          Thread.onSpinWait();
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("the server has closed a connection by itself", e);
    }
  }

  /** What a client of UCX's says first, as a proxy sees it. */
  private static byte[] greeting() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (Transport transport = new UcxTransportProvider().open();
        Listener listener = listen(transport);
        ServerSocket proxy = new ServerSocket(0, 1, loopback)) {
      CompletableFuture<byte[]> heard =
          CompletableFuture.supplyAsync(() -> hear(proxy, listener.address()));
      InetSocketAddress address = new InetSocketAddress(loopback, proxy.getLocalPort());
      transport.connect(address, new Silent(), DEADLINE).close();
      return heard.get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private static byte[] hear(ServerSocket proxy, InetSocketAddress server) {
    try (Socket client = proxy.accept();
        Socket there = new Socket(server.getAddress(), server.getPort())) {
      byte[] heard = new byte[64 << 10];
      int bytes = client.getInputStream().read(heard);
      there.getOutputStream().write(heard, 0, bytes);
      CompletableFuture<Void> answer = CompletableFuture.runAsync(() -> pass(there, client));
      pass(client, there);
      answer.get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
      return Arrays.copyOf(heard, bytes);
    } catch (Exception e) {
      throw new IllegalStateException("the proxy has failed", e);
    }
  }

  /** Passes on what comes from one to the other, until it ends. */
  private static void pass(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      throw new IllegalStateException("the proxy has failed", e);
    }
  }

  private static final class Silent implements MessageHandler {

    @Override
    public void onMessage(Connection connection, ByteBuffer message) {}

    @Override
    public void onClosed(Connection connection, IOException cause) {}
  }
}
