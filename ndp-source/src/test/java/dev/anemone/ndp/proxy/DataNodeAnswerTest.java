// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers of a server that sends what the test says. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class DataNodeAnswerTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration DEADLINE = Duration.ofSeconds(40);
  private static final int PIECE = 1 << 16;
  private static final int PIECES = 1 << 10;

  /** Nothing more is sent when nothing was for so long. */
  private static final long STILL_NANOS = TimeUnit.MILLISECONDS.toNanos(700);

  private final EventLoopGroup loops = new NioEventLoopGroup(1);
  private ServerSocket server;

  /** What a server does with a connection on which it has been asked. */
  @FunctionalInterface
  private interface Service {
    void answer(OutputStream out) throws IOException;
  }

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    server.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private void serve(Service service) {
    Thread thread =
        new Thread(
            () -> {
              try (Socket socket = server.accept()) {
                byte[] request = new byte[PIECE];
                int got = 0;
                while (!new String(request, 0, got, StandardCharsets.UTF_8).endsWith("\r\n\r\n")) {
                  got += socket.getInputStream().read(request, got, request.length - got);
                }
                service.answer(socket.getOutputStream());
              } catch (IOException e) {
                // The client has gone, or the test is over.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private static void head(OutputStream out, long length) throws IOException {
    out.write(
        ("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n")
            .getBytes(StandardCharsets.UTF_8));
  }

  private DataNodeAnswer ask(Duration patience, Duration deadline) throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    return new DataNode(new DataNodeWay(address, ProxyTls.NONE, patience), loops)
        .get("/file", Map.of("Cookie", "a=b"), deadline);
  }

  private static byte[] piece(int number) {
    byte[] bytes = new byte[PIECE];
    Arrays.fill(bytes, (byte) number);
    return bytes;
  }

  @Test
  void whatIsNotReadIsNotAskedFor() throws Exception {
    AtomicLong sent = new AtomicLong();
    serve(
        out -> {
          head(out, (long) PIECE * PIECES);
          for (int number = 0; number < PIECES; number++) {
            out.write(piece(number));
            sent.addAndGet(PIECE);
          }
        });
    try (DataNodeAnswer answer = ask(PATIENCE, DEADLINE)) {
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.length()).isEqualTo((long) PIECE * PIECES);

      awaitStandstill(sent);
      assertThat(sent.get()).isLessThan((long) PIECE * PIECES / 2);

      for (int number = 0; number < PIECES; number++) {
        assertThat(answer.readNBytes(PIECE)).isEqualTo(piece(number));
      }
      assertThat(answer.read()).isEqualTo(-1);
    }
  }

  private static void awaitStandstill(AtomicLong sent) {
    long last = -1;
    long since = System.nanoTime();
    while (last <= 0 || System.nanoTime() - since < STILL_NANOS) {
      if (sent.get() != last) {
        last = sent.get();
        since = System.nanoTime();
      }
      Thread.onSpinWait();
    }
  }

  @Test
  void anAnswerThatBreaksOffIsAnError() throws Exception {
    serve(
        out -> {
          head(out, 2L * PIECE);
          out.write(piece(1));
        });
    try (DataNodeAnswer answer = ask(PATIENCE, DEADLINE)) {
      assertThat(answer.readNBytes(PIECE)).isEqualTo(piece(1));
      assertThatThrownBy(answer::read)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("closed the connection before it had answered");
    }
  }

  @Test
  void aServerThatIsSilentIsNotWaitedFor() {
    Duration patience = Duration.ofMillis(300);
    serve(
        out -> {
          head(out, PIECE);
          out.flush();
          // Waits until the test is over.
          server.accept();
        });

    assertThatThrownBy(
            () -> {
              try (DataNodeAnswer answer = ask(patience, DEADLINE)) {
                answer.read();
              }
            })
        .isInstanceOf(HttpTimeoutException.class)
        .hasMessageContaining("sent nothing for 300 ms");
  }

  @Test
  void anAnswerEndsAtItsDeadline() {
    serve(
        out -> {
          head(out, Long.MAX_VALUE);
          while (true) {
            out.write(piece(0));
          }
        });

    assertThatThrownBy(
            () -> {
              try (DataNodeAnswer answer = ask(PATIENCE, Duration.ofMillis(500))) {
                answer.transferTo(OutputStream.nullOutputStream());
              }
            })
        .isInstanceOf(HttpTimeoutException.class)
        .hasMessageContaining("deadline");
  }

  @Test
  void whatIsNoHttpIsAnError() {
    serve(out -> out.write("SSH-2.0-OpenSSH_9.2\r\n\r\n".getBytes(StandardCharsets.UTF_8)));

    assertThatThrownBy(() -> ask(PATIENCE, DEADLINE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no HTTP");
  }

  @Test
  void whereNobodyListensItSaysSo() throws IOException {
    server.close();

    assertThatThrownBy(() -> ask(PATIENCE, DEADLINE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot be reached")
        .hasMessageContaining("Connection refused");
  }
}
