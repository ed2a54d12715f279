// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.ndp.NdpMetrics;
import dev.anemone.ndp.protocol.SharedSecret;
import dev.anemone.ndp.proxy.NdpProxy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs whose reads are run by proxies beside the data nodes of a real HDFS. */
@Tag("slow")
class PushedQueriesTest {

  private static final String FULL = "--optimizationPolicy=FullPushdown";

  private static final String NEAR = "--optimizationPolicy=NearData";

  private static final String Q6 =
      "SELECT SUM(price * discount) AS revenue FROM t WHERE shipped >= DATE '1994-01-01' AND"
          + " shipped < DATE '1995-01-01' AND discount BETWEEN 0.05 AND 0.07 AND small < 24";

  private static final List<String> QUERIES =
      List.of(
          Q6,
          "SELECT flag, good, SUM(price * (1 - discount)) AS b, AVG(ratio) AS r, MAX(mode) AS d,"
              + " COUNT(*) AS e FROM t WHERE shipped <= DATE '1998-09-02' GROUP BY flag, good",
          // Only the filter and the columns can be pushed: the length of a text cannot be said.
          "SELECT flag, CHAR_LENGTH(mode) AS l FROM t WHERE id BETWEEN 40000 AND 40100",
          "SELECT id, price FROM t WHERE id < 200 AND mode LIKE 'AIR%'");

  /** Enough for what is about proxies. */
  private static final List<String> FEW = QUERIES.subList(0, 2);

  @TempDir private static Path directory;
  private static StorageCluster cluster;
  private static NdpFiles files;
  private static Map<String, String> locations;
  private static List<NdpProxy> proxies;

  @BeforeAll
  static void start() throws Exception {
    cluster = new StorageCluster(directory);
    files = new NdpFiles(directory.resolve("local"), 120_000);
    locations = new HashMap<>();
    for (String kind : List.of("csv", "gzip", "parquet")) {
      locations.put(kind, cluster.put(directory.resolve("local").resolve(kind)));
    }
    proxies = cluster.proxies();
  }

  @AfterAll
  static void stop() throws Exception {
    for (NdpProxy proxy : proxies) {
      proxy.close();
    }
    files.close();
    cluster.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"csv", "gzip", "parquet"})
  void proxiesGiveWhatDuckDbGives(String kind) throws Exception {
    NdpRuns.Outcome outcome = runs(kind, FULL, addresses(proxies)).outcome(QUERIES);
    assertAnswers(outcome);
    assertThat(outcome.counter(NdpMetrics.SPLITS_PUSHED)).isGreaterThanOrEqualTo(QUERIES.size());
    assertThat(outcome.counter(NdpMetrics.SPLITS_PUSHED_BACK)).isZero();
    assertThat(outcome.counter(NdpMetrics.READ_BYTES)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"csv", "gzip", "parquet"})
  void tasksGiveItWithoutThem(String kind) throws Exception {
    NdpRuns.Outcome outcome =
        runs(kind, "--optimizationPolicy=NoPushdown", addresses(proxies)).outcome(QUERIES);
    assertAnswers(outcome);
    assertThat(outcome.counter(NdpMetrics.SPLITS_PUSHED)).isZero();
    assertThat(outcome.counter(NdpMetrics.READ_BYTES)).isPositive();
  }

  @Test
  void hardlyAnythingOfASumCrossesTheNetwork() throws Exception {
    NdpRuns.Outcome outcome = runs("csv", FULL, addresses(proxies)).outcome(List.of(Q6));
    assertThat(outcome.rows().get(Q6)).isEqualTo(files.answer(Q6));
    assertThat(outcome.counter(NdpMetrics.ANSWER_BYTES))
        .isPositive()
        .isLessThan(cluster.bytes(locations.get("csv")) / 1000);
  }

  @Test
  void columnsOfTextThatNobodyReadsDoNotCrossTheNetwork() throws Exception {
    String query = "SELECT id, price FROM t";
    NdpRuns.Outcome outcome = runs("csv", FULL, addresses(proxies)).outcome(List.of(query));
    assertThat(outcome.rows().get(query)).isEqualTo(files.answer(query));
    assertThat(outcome.counter(NdpMetrics.READ_BYTES)).isZero();
    assertThat(outcome.counter(NdpMetrics.ANSWER_BYTES))
        .isPositive()
        .isLessThan(cluster.bytes(locations.get("csv")) / 2);
  }

  @Test
  void allIsPushedWhereTheNetworkIsSlow() throws Exception {
    NdpRuns.Outcome outcome =
        runs("csv", NEAR, "--ndpNetwork=100KB", addresses(proxies)).outcome(QUERIES);
    assertAnswers(outcome);
    assertThat(outcome.counter(NdpMetrics.SPLITS_PUSHED)).isGreaterThanOrEqualTo(QUERIES.size());
    assertThat(outcome.counter(NdpMetrics.SPLITS_PUSHING + 0)).isZero();
    assertThat(outcome.counter(NdpMetrics.READ_BYTES)).isZero();
  }

  @Test
  void littleIsPushedWhereProxiesAreSlowAndTheNetworkIsFast() throws Exception {
    List<HttpRelay> disks = new ArrayList<>();
    List<NdpProxy> slow = new ArrayList<>();
    for (InetSocketAddress node : cluster.dataNodes()) {
      disks.add(
          new HttpRelay(
              node,
              body -> {
                assertThat(new CountDownLatch(1).await(300, TimeUnit.MILLISECONDS)).isFalse();
                return body.length;
              }));
      slow.add(cluster.proxy(disks.get(disks.size() - 1).address(), 1, 64, Optional.empty()));
    }
    List<String> query = List.of(Q6);
    NdpRuns.Outcome all = runs("csv", FULL, addresses(slow)).outcome(query);
    NdpRuns.Outcome some = runs("csv", NEAR, "--ndpNetwork=100GB", addresses(slow)).outcome(query);
    assertThat(some.rows().get(Q6)).isEqualTo(all.rows().get(Q6)).isEqualTo(files.answer(Q6));
    assertThat(all.counter(NdpMetrics.SPLITS_PUSHED)).isPositive();
    assertThat(2 * some.counter(NdpMetrics.SPLITS_PUSHED))
        .isLessThan(all.counter(NdpMetrics.SPLITS_PUSHED));
    for (NdpProxy proxy : slow) {
      proxy.close();
    }
    disks.forEach(HttpRelay::close);
  }

  @Test
  void aProxyThatEndsIsDoneWithout() throws Exception {
    List<NdpProxy> killed = cluster.proxies();
    List<HttpRelay> relays = new ArrayList<>();
    for (NdpProxy proxy : killed) {
      relays.add(
          new HttpRelay(
              proxy.address(),
              body -> {
                proxy.close();
                return body.length / 2;
              }));
    }
    NdpRuns.Outcome outcome = runs("csv", FULL, relayed(relays)).outcome(FEW);
    assertAnswers(outcome);
    assertThat(outcome.counter(NdpMetrics.SPLITS_PUSHED_BACK)).isPositive();
    assertThat(outcome.counter(NdpMetrics.READ_BYTES)).isPositive();
    relays.forEach(HttpRelay::close);
  }

  @Test
  void aProxyThatLiesIsNotBelieved() throws Exception {
    List<HttpRelay> relays = new ArrayList<>();
    for (NdpProxy proxy : proxies) {
      relays.add(
          new HttpRelay(
              proxy.address(),
              body -> {
                body[body.length * 2 / 3] ^= 1;
                return body.length;
              }));
    }
    NdpRuns.Outcome outcome = runs("csv", FULL, relayed(relays)).outcome(FEW);
    assertAnswers(outcome);
    assertThat(outcome.counter(NdpMetrics.SPLITS_PUSHED)).isZero();
    assertThat(outcome.counter(NdpMetrics.SPLITS_PUSHED_BACK))
        .isEqualTo(relays.stream().mapToInt(HttpRelay::requests).sum());
    relays.forEach(HttpRelay::close);
  }

  @Test
  void aProxyThatIsBusyIsNotWaitedFor() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    List<HttpRelay> gates = new ArrayList<>();
    List<NdpProxy> slow = new ArrayList<>();
    for (InetSocketAddress node : cluster.dataNodes()) {
      gates.add(
          new HttpRelay(
              node,
              body -> {
                assertThat(gate.await(60, TimeUnit.SECONDS)).isTrue();
                return body.length;
              }));
      slow.add(cluster.proxy(gates.get(gates.size() - 1).address(), 1, 0, Optional.empty()));
    }
    // Each proxy has room for one plan, which waits for the gate that the last answer opens.
    Thread opener =
        new Thread(
            () -> {
              while (slow.stream().mapToLong(proxy -> proxy.status().totals().busy()).sum() == 0) {
                Thread.onSpinWait();
              }
              gate.countDown();
            });
    opener.setDaemon(true);
    opener.start();
    NdpRuns.Outcome outcome = runs("csv", FULL, addresses(slow)).outcome(FEW);
    assertAnswers(outcome);
    assertThat(outcome.counter(NdpMetrics.SPLITS_PUSHED_BACK)).isPositive();
    for (NdpProxy proxy : slow) {
      proxy.close();
    }
    gates.forEach(HttpRelay::close);
  }

  @Test
  void aProxyIsNotUsedWithoutItsSecret() throws Exception {
    List<NdpProxy> guarded = new ArrayList<>();
    for (InetSocketAddress node : cluster.dataNodes()) {
      guarded.add(cluster.proxy(node, 1, 8, Optional.of(SharedSecret.read(secret("right")))));
    }
    List<String> query = List.of(Q6);
    NdpRuns.Outcome wrong =
        runs("csv", FULL, addresses(guarded), "--ndpTokenFile=" + secret("wrong")).outcome(query);
    NdpRuns.Outcome right =
        runs("csv", FULL, addresses(guarded), "--ndpTokenFile=" + secret("right")).outcome(query);
    assertThat(wrong.rows().get(Q6)).isEqualTo(right.rows().get(Q6)).isEqualTo(files.answer(Q6));
    assertThat(wrong.counter(NdpMetrics.SPLITS_PUSHED)).isZero();
    assertThat(right.counter(NdpMetrics.SPLITS_PUSHED)).isPositive();
    for (NdpProxy proxy : guarded) {
      proxy.close();
    }
  }

  private static Path secret(String text) throws IOException {
    Path file = directory.resolve(text + ".secret");
    if (!Files.exists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(file, text.repeat(8));
    }
    return file;
  }

  private static void assertAnswers(NdpRuns.Outcome outcome) throws Exception {
    for (String query : outcome.rows().keySet()) {
      assertThat(outcome.rows().get(query)).as(query).isEqualTo(files.answer(query)).isNotEmpty();
    }
  }

  private static NdpRuns runs(String kind, String... options) {
    List<String> all = new ArrayList<>(List.of(options));
    all.add(cluster.option());
    all.add("--slots=2");
    return new NdpRuns(files.ddl(kind, locations.get(kind)), all.toArray(new String[0]));
  }

  private static String addresses(List<NdpProxy> proxies) {
    return StorageCluster.proxiesOption(proxies.stream().map(NdpProxy::address).toList());
  }

  private static String relayed(List<HttpRelay> relays) {
    return StorageCluster.proxiesOption(relays.stream().map(HttpRelay::address).toList());
  }
}
