// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.ndp.decide.ReadsInProgress.Reading;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.Test;

/** Proxies that are not there, or say nothing. */
class StorageSideTest {

  private static final ProxyWaits WAITS =
      new ProxyWaits(Duration.ofMinutes(10), Duration.ofSeconds(3), Duration.ofSeconds(30));

  private static final int SILENT = 10;

  @Test
  void allThatSayNothingCostNoMoreTimeThanOne() throws IOException {
    List<ServerSocket> silent = new ArrayList<>();
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < SILENT; i++) {
      ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      silent.add(socket);
      addresses.add("127.0.0.1:" + socket.getLocalPort());
    }
    long begin = System.nanoTime();
    StorageSide storage =
        StorageSide.of(
            new StorageAccess(addresses, null, null, WAITS, List.of()),
            PipelineOptionsFactory.create());
    assertThat(Duration.ofNanos(System.nanoTime() - begin))
        .isLessThan(Duration.ofSeconds(3 * SILENT));
    assertThat(storage.statuses()).isEmpty();
    for (ServerSocket socket : silent) {
      socket.close();
    }
    FileSplit split = new FileSplit("hdfs://name:8020/a", 0, 1, 1, List.of("127.0.0.1"));
    assertThat(storage.proxyOf(split)).isEmpty();
  }

  /** They share the network, whatever storage they read. */
  @Test
  void jobsOfAProcessKnowWhatTheOthersRead() throws IOException {
    try (StorageSide one = withoutProxies();
        StorageSide other = withoutProxies();
        Reading reading = one.reads().beginHere(100)) {
      assertThat(reading.operators()).isZero();
      assertThat(other.reads().readings()).isPositive();
      assertThat(other.reads().bytesLeft()).isGreaterThanOrEqualTo(100);
    }
  }

  private static StorageSide withoutProxies() throws IOException {
    return StorageSide.of(
        new StorageAccess(List.of(), null, null, WAITS, List.of()),
        PipelineOptionsFactory.create());
  }

  @Test
  void whatIsNoAddressIsNamed() {
    assertThatThrownBy(
            () ->
                new StorageAccess(List.of("node1:9871", "node2"), null, null, WAITS, List.of())
                    .addresses())
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("'node2'");
  }

  @Test
  void allSpeakHttpsOrNone() {
    List<String> encrypted = List.of("https://node1:9964", "https://[::1]:9964");
    assertThat(ProxyAddresses.of(encrypted).encrypted()).isTrue();
    assertThat(ProxyAddresses.of(encrypted).all().get(1).getPort()).isEqualTo(9964);
    assertThat(ProxyAddresses.of(List.of("node1:9964")).encrypted()).isFalse();
    assertThatThrownBy(() -> ProxyAddresses.of(List.of("https://node1:9964", "node2:9964")))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("with https:// and without");
    assertThatThrownBy(() -> ProxyAddresses.of(List.of("http://node1:9964")))
        .hasMessageContaining("which is no address");
  }

  @Test
  void aBandwidthHasAUnit() {
    assertThat(new StorageAccess(List.of(), null, "125MB", WAITS, List.of()).bytesPerSecond())
        .contains(125e6);
    assertThat(new StorageAccess(List.of(), null, "1.5GB", WAITS, List.of()).bytesPerSecond())
        .contains(1.5e9);
    assertThat(new StorageAccess(List.of(), null, "4096", WAITS, List.of()).bytesPerSecond())
        .contains(4096.0);
    assertThat(new StorageAccess(List.of(), null, null, WAITS, List.of()).bytesPerSecond())
        .isEmpty();
    for (String wrong : List.of("fast", "0MB", "-1", "1TB", "")) {
      assertThatThrownBy(
              () -> new StorageAccess(List.of(), null, wrong, WAITS, List.of()).bytesPerSecond())
          .isInstanceOf(InvalidPipelineException.class)
          .hasMessageContaining("--ndpNetwork=" + wrong);
    }
  }
}
