// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.anemone.ndp.client.ProxyException.Kind;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.protocol.AnswerFrames;
import dev.anemone.ndp.protocol.NdpHttp;
import dev.anemone.ndp.protocol.RequestJson;
import dev.anemone.ndp.proxy.NdpProxy;
import dev.anemone.ndp.testing.FakeDataNode;
import dev.anemone.ndp.testing.Proxies;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers of a real proxy, as other servers would damage them. */
class LyingProxyTest {

  private static final int ROWS = 20_000;
  private static final int END_BYTES = Integer.BYTES + AnswerFrames.END_BYTES;

  @TempDir Path directory;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch end = new CountDownLatch(1);
  private byte[] answer;
  private HttpServer liar;
  private volatile HttpHandler served;

  @BeforeEach
  void takeARealAnswer() throws IOException, InterruptedException {
    Path work = Files.createDirectory(directory.resolve("work"));
    try (FakeDataNode dataNode = new FakeDataNode();
        NdpProxy proxy = Proxies.start(dataNode.address(), work, 0, Optional.empty())) {
      dataNode.put("/t", Proxies.table(ROWS));
      answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(
                          URI.create(
                              "http://127.0.0.1:"
                                  + proxy.address().getPort()
                                  + Proxies.file("/t").address()))
                      .header("Content-Type", NdpHttp.PLAN_TYPE)
                      .POST(
                          BodyPublishers.ofByteArray(
                              RequestJson.write(Proxies.request(Proxies.ALL, Split.WHOLE))))
                      .build(),
                  BodyHandlers.ofByteArray())
              .body();
    }
    liar = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    liar.setExecutor(threads);
    liar.createContext("/", exchange -> served.handle(exchange));
    liar.start();
  }

  @AfterEach
  void stop() {
    end.countDown();
    liar.stop(0);
    threads.shutdownNow();
  }

  @Test
  void whatIsNotChangedIsBelieved() throws IOException {
    serve(answer, false);
    for (ClientOptions options : new ClientOptions[] {streaming(), spilling()}) {
      assertThat(
              Proxies.rows(
                  new NdpClient(options),
                  liar.getAddress(),
                  Proxies.file("/t"),
                  Proxies.request(Proxies.ALL, Split.WHOLE)))
          .hasSize(ROWS);
    }
    assertThat(directory.resolve("spill")).isEmptyDirectory();
  }

  @Test
  void anAnswerThatIsCutOffIsNoAnswer() throws IOException {
    for (int length : new int[] {0, 3, 5000, answer.length / 2, answer.length - 1}) {
      brokenOff(Arrays.copyOf(answer, length), "broke off");
    }
    // All of the stream of Arrow with its end, and nothing of the last frame.
    brokenOff(Arrays.copyOf(answer, answer.length - END_BYTES), "broke off");
  }

  @Test
  void aDamagedAnswerIsNoAnswer() throws IOException {
    byte[] damaged = answer.clone();
    // The letters of a name: Arrow has no objection.
    damaged[indexOf("name of 90")] = 'N';
    brokenOff(damaged, "damaged");
    byte[] wrongChecksum = answer.clone();
    wrongChecksum[answer.length - 1] ^= 1;
    brokenOff(wrongChecksum, "damaged");
    byte[] fewerRows = answer.clone();
    ByteBuffer.wrap(fewerRows).putLong(answer.length - END_BYTES + Integer.BYTES, ROWS - 1);
    brokenOff(fewerRows, "rows came");
    byte[] hugeFrame = answer.clone();
    ByteBuffer.wrap(hugeFrame).putInt(0, Integer.MAX_VALUE);
    brokenOff(hugeFrame, "frame of");
    brokenOff("plain text, which is no frame".getBytes(StandardCharsets.UTF_8), "frame of");
  }

  @Test
  void aPlanThatFailsOnTheWaySaysWhy() throws IOException {
    byte[] reason = "the disk is gone".getBytes(StandardCharsets.UTF_8);
    byte[] failed =
        ByteBuffer.allocate(answer.length - END_BYTES + 2 * Integer.BYTES + reason.length)
            .put(answer, 0, answer.length - END_BYTES)
            .putInt(AnswerFrames.FAILED)
            .putInt(reason.length)
            .put(reason)
            .array();
    serve(failed, false);
    ProxyException failure = failure(streaming());
    assertThat(failure.kind()).isEqualTo(Kind.FAILED);
    assertThat(failure).hasMessageContaining("the disk is gone");
  }

  @Test
  void whoIsTooSlowIsNotWaitedFor() throws IOException {
    serve(Arrays.copyOf(answer, answer.length / 2), true);
    ProxyException failure = failure(Proxies.options(Duration.ofSeconds(1)));
    assertThat(failure.kind()).isEqualTo(Kind.LATE);
    assertThat(failure).hasMessageContaining("nothing arrived for 1000 ms");
  }

  @Test
  void nobodyIsThere() {
    liar.stop(0);
    assertThat(failure(streaming()).kind()).isEqualTo(Kind.UNREACHABLE);
  }

  private void brokenOff(byte[] body, String reason) throws IOException {
    serve(body, false);
    for (ClientOptions options : new ClientOptions[] {streaming(), spilling()}) {
      ProxyException failure = failure(options);
      assertThat(failure).hasMessageContaining(reason);
      assertThat(failure.kind()).isEqualTo(Kind.BROKEN_OFF);
    }
    assertThat(directory.resolve("spill")).isEmptyDirectory();
  }

  private ProxyException failure(ClientOptions options) {
    return catchThrowableOfType(
        ProxyException.class,
        () ->
            Proxies.rows(
                new NdpClient(options),
                liar.getAddress(),
                Proxies.file("/t"),
                Proxies.request(Proxies.ALL, Split.WHOLE)));
  }

  private static ClientOptions streaming() {
    return Proxies.options(Duration.ofMinutes(1));
  }

  private ClientOptions spilling() throws IOException {
    return streaming().withSpillDirectory(Files.createDirectories(directory.resolve("spill")));
  }

  private int indexOf(String text) {
    return new String(answer, StandardCharsets.ISO_8859_1).indexOf(text);
  }

  /** Answers so from now on; leaves the answer open if it is slow. */
  private void serve(byte[] body, boolean slow) {
    served =
        exchange -> {
          try (exchange) {
            exchange.getResponseHeaders().add("Content-Type", NdpHttp.ANSWER_TYPE);
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            out.write(body);
            out.flush();
            if (slow && !end.await(1, TimeUnit.MINUTES)) {
              throw new IOException("the test did not end");
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
  }
}
