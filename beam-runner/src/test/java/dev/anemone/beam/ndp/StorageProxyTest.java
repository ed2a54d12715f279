// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.client.ProxyException;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.protocol.NdpHttp;
import dev.anemone.ndp.protocol.ProxyStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is known of a proxy while its answers are on their way. */
@Timeout(60)
class StorageProxyTest {

  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration PLAN_DEADLINE = Duration.ofSeconds(1);

  private static final Duration AWAY = Duration.ofMinutes(1);
  private static final FileSplit SPLIT =
      new FileSplit("hdfs://name:8020/a", 0, 1, 1, List.of("node"));

  private final CountDownLatch mayAnswerAgain = new CountDownLatch(1);
  private final AtomicInteger questions = new AtomicInteger();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer server;

  @BeforeEach
  void begin() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(NdpHttp.STATUS, this::answer);
    server.start();
  }

  @AfterEach
  void end() {
    mayAnswerAgain.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  /** Only the first answer comes at once. Each says how many came before it. */
  private void answer(HttpExchange exchange) throws IOException {
    int before = questions.getAndIncrement();
    if (before > 0) {
      try {
        mayAnswerAgain.await(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    byte[] json =
        new ProxyStatus(
                new ProxyStatus.DataNodeIdentity("", "node", 1, 2),
                2,
                new ProxyStatus.Plans(0, before, 8),
                ProxyStatus.Rates.NONE,
                ProxyStatus.Totals.NONE)
            .json();
    exchange.sendResponseHeaders(200, json.length);
    exchange.getResponseBody().write(json);
    exchange.close();
  }

  @Test
  void whoeverAsksHasTheLastAnswerWhileTheNextIsOnItsWay() throws IOException {
    try (StorageSide storage = storage(Duration.ofMinutes(1))) {
      StorageProxy proxy = proxy(storage);
      assertThat(await(proxy, status -> questions.get() == 2).orElseThrow().plans().queued())
          .isZero();
      assertThat(proxy.status().orElseThrow().plans().queued()).isZero();
      mayAnswerAgain.countDown();
      assertThat(
              await(proxy, status -> status.orElseThrow().plans().queued() > 0)
                  .orElseThrow()
                  .plans()
                  .queued())
          .isEqualTo(1);
    }
  }

  @Test
  void oneThatSaysNothingAnyMoreIsLeftAlone() throws IOException {
    try (StorageSide storage = storage(PATIENCE)) {
      StorageProxy proxy = proxy(storage);
      await(proxy, Optional::isEmpty);
      assertThat(proxy.isAway()).isTrue();
      assertThat(storage.statuses()).isEmpty();
      assertThat(questions).as("one at a time").hasValue(2);
    }
  }

  @Test
  @Timeout(30)
  void oneThatWasLeftAloneForLongEnoughIsAskedAgain() throws IOException {
    Duration away = Duration.ofSeconds(1);
    try (StorageSide storage =
        StorageSide.of(access(PATIENCE, away), PipelineOptionsFactory.create())) {
      StorageProxy proxy = proxy(storage);
      await(proxy, Optional::isEmpty);
      mayAnswerAgain.countDown();
      await(proxy, status -> status.isPresent() && status.get().plans().queued() > 0);
    }
  }

  @Test
  @Timeout(20)
  void aPlanIsWaitedForAsLongAsTheOptionsSay() throws IOException {
    server.createContext("/webhdfs/v1/", this::neverAnswer);
    RowType row = RowType.of(Field.nullable("a", SimpleType.INT64));
    NdpSpec spec = NdpSpec.of(CsvFormat.of(','), row, row, access(PATIENCE, AWAY), 0);
    RelationalPlan plan = RelationalPlan.of(row, new Project(List.of(NamedExpression.column("a"))));
    try (StorageSide storage = storage(Duration.ofMinutes(1));
        BufferAllocator allocator = new RootAllocator()) {
      StorageProxy proxy = proxy(storage);

      assertThatThrownBy(() -> proxy.run(spec, SPLIT, plan, allocator))
          .isInstanceOfSatisfying(
              ProxyException.class,
              late -> assertThat(late.kind()).isEqualTo(ProxyException.Kind.LATE));

      assertThat(proxy.isAway()).isTrue();
      assertThat(storage.proxyOf(SPLIT)).isEmpty();
    }
  }

  private void neverAnswer(HttpExchange exchange) {
    try (exchange) {
      mayAnswerAgain.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private StorageSide storage(Duration patience) throws IOException {
    return StorageSide.of(access(patience, AWAY), PipelineOptionsFactory.create());
  }

  private StorageAccess access(Duration patience, Duration away) {
    String address = "127.0.0.1:" + server.getAddress().getPort();
    return new StorageAccess(
        List.of(address), null, null, new ProxyWaits(PLAN_DEADLINE, patience, away), List.of());
  }

  private static StorageProxy proxy(StorageSide storage) {
    return storage.proxyOf(SPLIT).orElseThrow();
  }

  /** Asks until the answer is as wanted; the test's time limit ends it. */
  private static Optional<ProxyStatus> await(
      StorageProxy proxy, Predicate<Optional<ProxyStatus>> wanted) {
    Optional<ProxyStatus> status = proxy.status();
    while (!wanted.test(status)) {
      Thread.onSpinWait();
      status = proxy.status();
    }
    return status;
  }
}
