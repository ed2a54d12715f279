// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.hdfs.HdfsCallers;
import dev.anemone.ndp.client.ClientOptions;
import dev.anemone.ndp.client.NdpClient;
import dev.anemone.ndp.decide.ReadsInProgress;
import dev.anemone.ndp.decide.ReadsInProgress.Decision;
import dev.anemone.ndp.decide.ReadsInProgress.Reading;
import dev.anemone.ndp.protocol.ProxyStatus;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.Test;

/** What readers have under way is known until it is over. */
class ReadsInProgressTest {

  private final ReadsInProgress.OfProcess all = new ReadsInProgress.OfProcess();
  private final ReadsInProgress reads = new ReadsInProgress(all);

  /** Nobody is asked: what it said counts. */
  private final StorageProxy proxy = proxy(1, 2);

  @Test
  void rawSplitsAreStillToComeUntilTheyHave() {
    try (Reading reading = reads.beginHere(100)) {
      assertThat(reading.operators()).isZero();
      assertThat(reads.here()).isEqualTo(1);
      reading.waits();
      reading.arrived(30);
      assertThat(reads.bytesLeft()).isEqualTo(70);
      reading.waits();
      reading.arrived(90);
      assertThat(reads.bytesLeft()).as("more than was thought").isZero();
    }
    nothingIsLeft();
  }

  @Test
  void theNextOneKnowsWhatWasDecidedJustBefore() {
    try (Reading first = reads.begin(proxy, () -> new Decision(2, 10));
        Reading second =
            reads.begin(
                proxy,
                () -> {
                  assertThat(reads.readings()).isEqualTo(1);
                  assertThat(reads.bytesLeft()).isEqualTo(10);
                  assertThat(tasks()).as("three that it spoke of, and one since").isEqualTo(4);
                  return new Decision(0, 100);
                })) {
      assertThat(first.operators()).isEqualTo(2);
      assertThat(second.operators()).isZero();
      assertThat(reads.here()).isEqualTo(1);
      assertThat(reads.bytesLeft()).isEqualTo(110);
      assertThat(tasks()).isEqualTo(4);
      first.planEnds();
      assertThat(reads.bytesLeft()).isEqualTo(100);
      assertThat(tasks()).isEqualTo(3);
    }
    nothingIsLeft();
  }

  @Test
  void whatIsPushedBackIsReadHere() {
    try (Reading reading = reads.begin(proxy, () -> new Decision(1, 10))) {
      reading.planEnds();
      reading.continueHere(100);
      assertThat(reads.here()).isEqualTo(1);
      assertThat(reads.bytesLeft()).isEqualTo(100);
      assertThat(tasks()).isEqualTo(3);
    }
    nothingIsLeft();
  }

  @Test
  void otherJobsOfTheProcessKnowOfThem() {
    ReadsInProgress ofAnother = new ReadsInProgress(all);
    try (Reading raw = reads.beginHere(100);
        Reading pushed = reads.begin(proxy, () -> new Decision(2, 10))) {
      assertThat(raw.operators()).isZero();
      assertThat(pushed.operators()).isEqualTo(2);
      assertThat(ofAnother.readings()).isEqualTo(2);
      assertThat(ofAnother.here()).isEqualTo(1);
      raw.waits();
      raw.arrived(30);
      assertThat(ofAnother.bytesLeft()).isEqualTo(80);
    }
    assertThat(ofAnother.bytesLeft()).isZero();
    nothingIsLeft();
  }

  private void nothingIsLeft() {
    assertThat(reads.readings()).isZero();
    assertThat(reads.here()).isZero();
    assertThat(reads.bytesLeft()).isZero();
    assertThat(tasks()).isEqualTo(3);
  }

  private int tasks() {
    ProxyStatus status = proxy.knownStatus();
    assertThat(status.plans().running()).isLessThanOrEqualTo(status.cores());
    return status.plans().running() + status.plans().queued();
  }

  private static StorageProxy proxy(int running, int queued) {
    NdpClient client = new NdpClient(ClientOptions.defaults());
    return new StorageProxy(
        InetSocketAddress.createUnresolved("nobody", 1),
        new StorageProxy.Clients(client, client, Duration.ofSeconds(30)),
        new ProxyStatus(
            new ProxyStatus.DataNodeIdentity("", "nobody", 1, 2),
            2,
            new ProxyStatus.Plans(running, queued, 8),
            new ProxyStatus.Rates(1, 1e8, 1),
            ProxyStatus.Totals.NONE),
        HdfsCallers.of(PipelineOptionsFactory.create()),
        Runnable::run);
  }
}
