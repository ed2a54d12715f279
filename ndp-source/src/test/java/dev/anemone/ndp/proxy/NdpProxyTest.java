// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.client.NdpClient;
import dev.anemone.ndp.client.ProxyAnswer;
import dev.anemone.ndp.client.ProxyException;
import dev.anemone.ndp.client.ProxyException.Kind;
import dev.anemone.ndp.client.RemoteFile;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.ndp.engine.PlanAnswer;
import dev.anemone.ndp.engine.Table;
import dev.anemone.ndp.engine.database.NdpEngineLimits;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.protocol.NdpHttp;
import dev.anemone.ndp.protocol.PlanRequest;
import dev.anemone.ndp.protocol.ProxyStatus;
import dev.anemone.ndp.protocol.RequestJson;
import dev.anemone.ndp.protocol.SharedSecret;
import dev.anemone.ndp.rows.ArrowRows;
import dev.anemone.ndp.testing.FakeDataNode;
import dev.anemone.ndp.testing.Proxies;
import dev.anemone.ndp.testing.RawHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NdpProxyTest {

  private static final int ROWS = 30_000;
  private static final String FILE = "/t/my table.csv";
  private static final String FILE_ADDRESS =
      "/webhdfs/v1/t/my%20table.csv?op=OPEN&user.name=reader&namenoderpcaddress=nn:1";

  @TempDir Path directory;
  private FakeDataNode dataNode;
  private NdpProxy proxy;
  private final NdpClient client = new NdpClient(Proxies.options(Duration.ofSeconds(20)));

  @BeforeEach
  void start() throws IOException {
    Files.createDirectory(directory.resolve("work"));
    dataNode = new FakeDataNode();
    dataNode.put(FILE, Proxies.table(ROWS));
    proxy = Proxies.start(dataNode.address(), directory.resolve("work"), 0, Optional.empty());
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    proxy.close();
    dataNode.close();
    try (var left = Files.list(directory.resolve("work"))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void answersAreThoseOfTheEngineOnALocalFile() throws IOException {
    Path local = Files.write(directory.resolve("t.csv"), Proxies.table(ROWS));
    NdpEngineLimits limits =
        new NdpEngineLimits(
            1, 256L << 20, 1L << 30, Duration.ofMinutes(1), directory.resolve("work"));
    int plans = 0;
    try (NdpEngine engine = new NdpEngine(limits)) {
      for (RelationalPlan plan : List.of(Proxies.ALL, Proxies.below(5000), Proxies.sum())) {
        for (Split split : List.of(Split.WHOLE, new Split(1000, 200_000))) {
          List<List<Object>> expected = new ArrayList<>();
          Table table = new Table(local, CsvFormat.of('|'), Proxies.ROW);
          try (PlanAnswer answer = engine.run(plan, table, split)) {
            while (answer.loadNextBatch()) {
              expected.addAll(ArrowRows.of(answer.root(), answer.type()));
            }
          }
          // An answer has come before the place of its plan is free.
          await(state -> state.plans().running() == 0);
          assertThat(rows(Proxies.request(plan, split))).isEqualTo(expected);
          plans++;
        }
      }
    }
    int finished = plans;
    await(state -> state.totals().finished() == finished);
    ProxyStatus status = client.status(proxy.address());
    assertThat(status.totals().bytesIn())
        .isGreaterThan(3L * (200_000 + Proxies.table(ROWS).length));
    assertThat(status.totals().bytesOut()).isPositive();
    assertThat(status.rates().plansPerSecond()).isPositive();
    assertThat(status.rates().bytesPerSecond()).isPositive();
    assertThat(status.dataNode().uuid()).isEqualTo("abc");
    assertThat(status.dataNode().dataPort()).isEqualTo(9866);
  }

  @Test
  void aShortPlanMayStandInAHeader() throws IOException, InterruptedException {
    byte[] plan = RequestJson.write(Proxies.request(Proxies.sum(), Split.WHOLE));
    HttpResponse<String> response =
        send(
            get(FILE_ADDRESS)
                .header(NdpHttp.PLAN_HEADER, new String(plan, StandardCharsets.UTF_8)));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).contains(NdpHttp.ANSWER_TYPE);
  }

  @Test
  void requestsWithoutAPlanPassThrough() throws IOException, InterruptedException {
    byte[] large = new byte[3 << 20];
    large[large.length - 1] = 7;
    HttpResponse<byte[]> response =
        HttpClient.newHttpClient()
            .send(
                get("/webhdfs/v1/new?op=CREATE&x=%2F..%2F")
                    .PUT(BodyPublishers.ofByteArray(large))
                    .build(),
                BodyHandlers.ofByteArray());
    assertThat(response.statusCode()).isEqualTo(201);
    assertThat(response.body()).isEqualTo(large);
    assertThat(response.headers().firstValue("Location"))
        .contains("http://127.0.0.1:" + proxy.address().getPort() + "/elsewhere?a=b");
    assertThat(dataNode.others()).containsExactly("PUT /webhdfs/v1/new?op=CREATE&x=%2F..%2F");
    assertThat(send(get("/webhdfs/v1/t?op=OPEN&user.name=x&offset=0&length=9")).statusCode())
        .isEqualTo(403);
  }

  @Test
  void whatHdfsRefusesIsRefused() {
    PlanRequest request = Proxies.request(Proxies.ALL, Split.WHOLE);
    refused(RemoteFile.of(FILE, "nn:1", "mallory"), request, "403", "AccessControl");
    refused(RemoteFile.of("/t/none", "nn:1", "reader"), request, "404", "FileNotFound");
    dataNode.opened().clear();
    refused(RemoteFile.of("/t/../secret", "nn:1", "reader"), request, "400", "shortest form");
    refused(RemoteFile.of("/t//secret", "nn:1", "reader"), request, "400", "shortest form");
    refused(RemoteFile.of("/t", "nn/x?y", "reader"), request, "400", "name node");
    assertThat(dataNode.opened()).isEmpty();
  }

  @Test
  void aSecureDataNodeIsAskedWithATokenOnly() throws IOException {
    dataNode.wantKerberos();
    PlanRequest request = Proxies.request(Proxies.sum(), Split.WHOLE);
    RemoteFile withToken =
        new RemoteFile(FILE, "nn:1", Optional.of("reader"), Optional.of("token"), Map.of());
    RemoteFile withTicket =
        new RemoteFile(
            FILE,
            "nn:1",
            Optional.of("reader"),
            Optional.empty(),
            Map.of("Authorization", "Negotiate abc"));
    try (NdpProxy secure =
        Proxies.start(dataNode.address(), directory.resolve("work"), 0, Optional.empty())) {
      ProxyException refusal =
          catchThrowableOfType(
              ProxyException.class,
              () -> Proxies.rows(client, secure.address(), Proxies.file(FILE), request));
      assertThat(refusal.kind()).isEqualTo(Kind.REFUSED);
      assertThat(refusal).hasMessageContainingAll("401", "delegation token");
      assertThat(dataNode.opened()).isEmpty();
      for (RemoteFile known : List.of(withToken, withTicket)) {
        assertThat(Proxies.rows(client, secure.address(), known, request)).isEqualTo(rows(request));
      }
    }
  }

  @Test
  void plansThatDoNotFitTheirTableAreRefusedAndDataThatDoesNotFails() {
    RowType other = RowType.of(Field.nullable("key", SimpleType.INT32));
    PlanRequest wrong = Proxies.request(RelationalPlan.of(other), Split.WHOLE);
    refused(Proxies.file(FILE), wrong, "400", "there is no column key");
    dataNode.put("/bad", "1|a\nx|b\n".getBytes(StandardCharsets.UTF_8));
    ProxyException failure =
        failure(Proxies.file("/bad"), Proxies.request(Proxies.ALL, Split.WHOLE));
    assertThat(failure.kind()).isEqualTo(Kind.FAILED);
    assertThat(failure).hasMessageContaining("CSV Error on Line: 2");
  }

  @Test
  void whoFindsNoRoomIsTurnedAway() throws IOException {
    dataNode.shut();
    PlanRequest request = Proxies.request(Proxies.sum(), Split.WHOLE);
    CompletableFuture<List<List<Object>>> first =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return rows(request);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    await(status -> status.plans().running() == 1);
    ProxyException busy = failure(Proxies.file(FILE), request);
    assertThat(busy.kind()).isEqualTo(Kind.BUSY);
    assertThat(busy.retryAfter()).isPositive();
    assertThat(proxy.status().totals().busy()).isEqualTo(1);
    dataNode.open();
    assertThat(first.join()).hasSize(1);
    await(status -> status.plans().running() == 0);
  }

  @Test
  void aClientThatGoesAwayFreesItsPlan() throws IOException {
    dataNode.put("/large", Proxies.table(1_500_000));
    try (RootAllocator allocator = new RootAllocator()) {
      ProxyAnswer answer =
          client.run(
              proxy.address(),
              Proxies.file("/large"),
              Proxies.request(Proxies.ALL, Split.WHOLE),
              allocator);
      assertThat(answer.isVerified()).isFalse();
      assertThat(answer.loadNextBatch()).isTrue();
      assertThat(proxy.status().plans().running()).isEqualTo(1);
      answer.close();
    }
    await(status -> status.plans().running() == 0 && status.totals().failed() == 1);
  }

  @Test
  void aSecretIsAskedFor() throws IOException {
    try (NdpProxy guarded =
        Proxies.start(
            dataNode.address(),
            directory.resolve("work"),
            1,
            Optional.of(SharedSecret.of("right")))) {
      PlanRequest request = Proxies.request(Proxies.sum(), Split.WHOLE);
      NdpClient right = withSecret("right ");
      assertThat(Proxies.rows(right, guarded.address(), Proxies.file(FILE), request)).hasSize(1);
      dataNode.opened().clear();
      for (NdpClient other : List.of(withSecret("wrong"), client)) {
        assertThatThrownBy(
                () -> Proxies.rows(other, guarded.address(), Proxies.file(FILE), request))
            .hasMessageContaining("401")
            .hasMessageContaining("token");
        assertThatThrownBy(() -> other.status(guarded.address())).hasMessageContaining("401");
      }
      assertThat(dataNode.opened()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/jmx",
        "/conf?name=hadoop.security.authentication",
        "/logLevel?log=x&level=OFF",
        "/stacks",
        "/webhdfs/v10/t",
        "/webhdfs/v1/../../jmx",
        "/webhdfs/v1/%2e%2E/jmx",
        "/webhdfs/v1/t%2F..%2F../jmx",
        "/webhdfs/v1/%zz/../jmx",
        "http://127.0.0.1/webhdfs/v1/../../jmx",
        "//webhdfs/v1/../jmx",
      })
  void whatIsNotWebHdfsDoesNotPass(String address) throws IOException {
    int before = dataNode.requests();
    for (String method : List.of("GET", "PUT", "HEAD")) {
      String request =
          method + " " + address + " HTTP/1.1\r\nHost: here\r\nContent-Length: 0\r\n\r\n";
      assertThat(RawHttp.send(proxy.address(), request)).startsWith("HTTP/1.1 404 ");
    }
    assertThat(dataNode.requests()).isEqualTo(before);
  }

  @Test
  void nothingIsKeptOfWhoHasNoSecret() throws IOException {
    try (NdpProxy guarded =
            Proxies.start(
                dataNode.address(),
                directory.resolve("work"),
                1,
                Optional.of(SharedSecret.of("right")));
        RawHttp stranger = RawHttp.open(guarded.address())) {
      stranger.send(
          "POST "
              + FILE_ADDRESS
              + " HTTP/1.1\r\nHost: here\r\nContent-Type: "
              + NdpHttp.PLAN_TYPE
              + "\r\nTransfer-Encoding: chunked\r\n\r\n");
      // More than a request may have: it would be refused for that, were it kept.
      for (int sent = 0; sent <= NdpHttp.MAX_REQUEST_BYTES; sent += 1 << 16) {
        stranger.send("10000\r\n" + "[".repeat(1 << 16) + "\r\n");
      }
      stranger.send("0\r\n\r\n");
      assertThat(stranger.rest()).startsWith("HTTP/1.1 401 ").contains("token");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /webhdfs/v1/t?op=OPEN HTTP/1.1\r\nX: ",
        "POST /webhdfs/v1/t?op=OPEN HTTP/1.1\r\nContent-Type: "
            + NdpHttp.PLAN_TYPE
            + "\r\nContent-Length: 100000\r\n\r\n",
      })
  void whoSendsByteByByteIsNotListenedToForLong(String begun) throws IOException {
    Duration patience = Duration.ofMillis(500);
    try (NdpProxy hasty = Proxies.start(dataNode.address(), directory.resolve("work"), patience);
        RawHttp slow = RawHttp.open(hasty.address())) {
      slow.send(begun);
      long begin = System.nanoTime();
      boolean listened = true;
      while (listened && System.nanoTime() - begin < 20 * patience.toNanos()) {
        listened = slow.canSend("x");
      }
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isBetween(patience.dividedBy(2), patience.multipliedBy(10));
    }
  }

  @Test
  void withoutADataNodeThereIsNoProxy() {
    var nobody = dataNode.address();
    dataNode.close();
    assertThatThrownBy(() -> Proxies.start(nobody, directory.resolve("work"), 1, Optional.empty()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("dfs.datanode.http.address");
  }

  /** Bytes of good requests are changed; what comes of it may be a plan, or a 4xx that says why. */
  @Test
  void damagedRequestsAreRefusedAndReachNoOtherFile() throws IOException, InterruptedException {
    Random random = new Random(Long.getLong("fuzz.seed", 8));
    byte[] good = RequestJson.write(Proxies.request(Proxies.below(10), new Split(0, 1000)));
    // A plan's place is free a moment after its answer is whole, so the next one may have to wait.
    proxy.close();
    proxy = Proxies.start(dataNode.address(), directory.resolve("work"), 1, Optional.empty());
    HttpClient http = HttpClient.newHttpClient();
    int refused = 0;
    int tries = Integer.getInteger("fuzz.tries", 200);
    for (int i = 0; i < tries; i++) {
      byte[] body = damaged(good, random);
      HttpResponse<String> response =
          http.send(
              get(FILE_ADDRESS)
                  .header("Content-Type", NdpHttp.PLAN_TYPE)
                  .POST(BodyPublishers.ofByteArray(body))
                  .build(),
              BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
      String sent = new String(body, StandardCharsets.ISO_8859_1);
      // A plan with other columns or another delimiter may find data that is not what it says.
      assertThat(response.statusCode()).as(sent).isIn(200, 400, 422);
      if (response.statusCode() != 200) {
        assertThat(response.body()).as(sent).contains("\"reason\":\"").hasSizeGreaterThan(30);
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(tries / 2);
    assertThat(dataNode.opened()).containsOnly(FILE);
    assertThat(dataNode.others()).isEmpty();
    assertThat(rows(Proxies.request(Proxies.below(10), Split.WHOLE))).hasSize(10);
  }

  private static byte[] damaged(byte[] good, Random random) {
    byte[] body = good.clone();
    switch (random.nextInt(4)) {
      case 0 -> body[random.nextInt(body.length)] = (byte) random.nextInt(256);
      case 1 -> body = Arrays.copyOf(body, random.nextInt(body.length));
      case 2 -> {
        int at = random.nextInt(body.length - 8);
        random.nextBytes(body);
        System.arraycopy(good, 0, body, 0, at);
      }
      default -> {
        int from = random.nextInt(body.length - 20);
        int to = random.nextInt(body.length - 20);
        System.arraycopy(good, from, body, to, 1 + random.nextInt(20));
      }
    }
    return body;
  }

  private static NdpClient withSecret(String secret) {
    return new NdpClient(
        Proxies.options(Duration.ofSeconds(20)).withSecret(SharedSecret.of(secret)));
  }

  private List<List<Object>> rows(PlanRequest request) throws IOException {
    return Proxies.rows(client, proxy.address(), Proxies.file(FILE), request);
  }

  private ProxyException failure(RemoteFile file, PlanRequest request) {
    return catchThrowableOfType(
        ProxyException.class, () -> Proxies.rows(client, proxy.address(), file, request));
  }

  private void refused(RemoteFile file, PlanRequest request, String status, String reason) {
    ProxyException refusal = failure(file, request);
    assertThat(refusal.kind()).isEqualTo(Kind.REFUSED);
    assertThat(refusal).hasMessageContaining(status).hasMessageContaining(reason);
  }

  private void await(Predicate<ProxyStatus> condition) {
    long due = System.nanoTime() + Duration.ofSeconds(40).toNanos();
    while (!condition.test(proxy.status())) {
      assertThat(System.nanoTime()).as("%s", proxy.status()).isLessThan(due);
      Thread.onSpinWait();
    }
  }

  private HttpRequest.Builder get(String address) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + proxy.address().getPort() + address))
        .version(HttpClient.Version.HTTP_1_1)
        .timeout(Duration.ofSeconds(30));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }
}
