// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.ndp.NdpMetrics;
import dev.anemone.beam.sql.AnemoneQueryPlanner;
import dev.anemone.ndp.protocol.SharedSecret;
import dev.anemone.ndp.proxy.NdpProxy;
import dev.anemone.runtime.event.EventLogReader;
import dev.anemone.runtime.event.PushdownDecided;
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
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
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

  @ParameterizedTest
  @ValueSource(strings = {FULL, NEAR})
  void textOfBeamsTypeIsReadNearTheData(String policy) throws Exception {
    String ddl =
        "CREATE EXTERNAL TABLE t ("
            + NdpFiles.COLUMNS
            + ") TYPE text LOCATION '"
            + locations.get("csv")
            + "/*' TBLPROPERTIES '{\"csvformat\": \"InformixUnload\", \"decimals\": \"15,2\"}'";
    NdpRuns.Outcome outcome =
        new NdpRuns(
                ddl,
                policy,
                "--ndpNetwork=100KB",
                addresses(proxies),
                cluster.option(),
                "--slots=2")
            .outcome(FEW);
    assertAnswers(outcome);
    // Over so slow a network.
    assertThat(outcome.counter(NdpMetrics.SPLITS_PUSHED)).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "text"})
  void columnsAreWrittenThere(String type) throws Exception {
    String target = cluster.put(Files.createDirectory(directory.resolve("written-" + type)));
    String columns = "id BIGINT, price DECIMAL, shipped DATE";
    String properties = "{\"decimals\": \"15,2\"}";
    String in = files.ddl("parquet", locations.get("parquet"));
    String out =
        "CREATE EXTERNAL TABLE o (%s) TYPE %s LOCATION '%s/' TBLPROPERTIES '%s'"
            .formatted(columns, type, target, properties);
    Pipeline pipeline = new NdpRuns(in, cluster.option(), "--slots=2").pipeline();
    pipeline.apply(
        SqlTransform.query("INSERT INTO o SELECT id, price, shipped FROM t WHERE small = 7")
            .withDdlString(in)
            .withDdlString(out)
            .withQueryPlannerClass(AnemoneQueryPlanner.class));
    pipeline.run().waitUntilFinish();

    assertThat(cluster.names(target)).isNotEmpty().allMatch(name -> name.contains("-of-"));
    String query = "SELECT COUNT(*) AS n, SUM(price) AS p, MAX(shipped) AS d FROM t";
    String again = out.replace("TABLE o", "TABLE t").replace(target + "/", target + "/*");
    assertThat(new NdpRuns(again, cluster.option(), "--slots=2").run(List.of(query)).get(query))
        .isEqualTo(files.answer(query + " WHERE small = 7"));
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
  void theLogSaysWhereEachSplitWasReadAndHowLongThatTook() throws Exception {
    Path logs = Files.createDirectory(directory.resolve("near-logs"));
    List<HttpRelay> disks = new ArrayList<>();
    List<NdpProxy> slow = new ArrayList<>();
    startSlow(disks, slow);
    // Of proxies that are known to be fast nothing is predicted: to ask costs more than it brings.
    assertAnswers(runs("csv", FULL, addresses(slow)).outcome(FEW));
    NdpRuns.Outcome outcome =
        runs("csv", NEAR, "--ndpNetwork=10KB", addresses(slow), "--eventLog=" + logs).outcome(FEW);
    for (NdpProxy proxy : slow) {
      proxy.close();
    }
    disks.forEach(HttpRelay::close);

    List<PushdownDecided> told = told(logs);
    assertThat(told).hasSize((int) outcome.counter(NdpMetrics.SPLITS_PUSHED));
    assertThat(told)
        .extracting(one -> one.vertex() + one.split())
        .doesNotHaveDuplicates()
        .allMatch(split -> split.contains(".csv["));
    assertThat(told)
        .allSatisfy(
            split -> {
              assertThat(split.host()).hasValueSatisfying(host -> assertThat(host).contains(":"));
              assertThat(split.cause()).isEmpty();
              assertThat(split.operators()).anyMatch(text -> text.startsWith("filter "));
              assertThat(split.predictedMs())
                  .as("over so slow a network")
                  .hasValueSatisfying(ms -> assertThat(ms.pulled()).isGreaterThan(ms.pushed()));
              assertThat(split.jobMs()).isPresent();
              assertThat(split.actualMs()).hasValueSatisfying(ms -> assertThat(ms).isPositive());
            });
  }

  /** Proxies that wait for their data nodes. */
  private static void startSlow(List<HttpRelay> disks, List<NdpProxy> slow) throws IOException {
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
  }

  @Test
  void littleIsPushedWhereProxiesAreSlowAndTheNetworkIsFast() throws Exception {
    List<HttpRelay> disks = new ArrayList<>();
    List<NdpProxy> slow = new ArrayList<>();
    startSlow(disks, slow);
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
    Path logs = Files.createDirectory(directory.resolve("lied-logs"));
    NdpRuns.Outcome outcome = runs("csv", FULL, relayed(relays), "--eventLog=" + logs).outcome(FEW);
    assertAnswers(outcome);
    assertThat(outcome.counter(NdpMetrics.SPLITS_PUSHED)).isZero();
    assertThat(told(logs))
        .hasSize((int) outcome.counter(NdpMetrics.SPLITS_PUSHED_BACK))
        .allMatch(split -> split.host().isEmpty() && split.operators().isEmpty())
        .extracting(split -> split.cause().orElseThrow())
        .allMatch(cause -> cause.contains("damaged"));
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

  private static List<PushdownDecided> told(Path logs) throws IOException {
    List<PushdownDecided> told = new ArrayList<>();
    try (Stream<Path> files = Files.list(logs);
        EventLogReader reader =
            new EventLogReader(
                Files.newInputStream(
                    files
                        .filter(file -> file.toString().endsWith(".jsonl"))
                        .findFirst()
                        .orElseThrow()))) {
      for (var event = reader.next(); event.isPresent(); event = reader.next()) {
        if (event.get() instanceof PushdownDecided split) {
          told.add(split);
        }
      }
    }
    return told;
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
