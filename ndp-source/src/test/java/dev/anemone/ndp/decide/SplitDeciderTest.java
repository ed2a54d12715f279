// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ndp.decide.ReadsInProgress.Reading;
import dev.anemone.ndp.protocol.ProxyStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a job learns of the network while it runs. */
class SplitDeciderTest {

  private static final double MEGABYTE = 1e6;
  private static final double SPLIT = 100 * MEGABYTE;
  private static final double ONE_STREAM = 50 * MEGABYTE;
  private static final int NODES = 4;

  /**
   * A split takes 2.5 s on a node's core, 1 s here, and 2 s on a link: pushing pays on one link,
   * and not on four.
   */
  private static final PushdownCosts COSTS =
      new PushdownCosts(
          new PushdownCosts.Splits(100, SPLIT, 1),
          List.of(new PushdownCosts.Operator("filter", 0.01, 2.5e-8, 1e-8)),
          new PushdownCosts.Storage(NODES, 1, NODES, 0),
          new PushdownCosts.Compute(8, 8, 0),
          ONE_STREAM);

  private static final ProxyStatus PROXY =
      new ProxyStatus(
          new ProxyStatus.DataNodeIdentity("", "node", 1, 2),
          1,
          new ProxyStatus.Plans(0, 0, 8),
          new ProxyStatus.Rates(1, 1e8, 1),
          ProxyStatus.Totals.NONE);

  private long nanos;
  private final ReadsInProgress.OfProcess all = new ReadsInProgress.OfProcess();
  private final ReadsInProgress reads = new ReadsInProgress(all, () -> nanos);
  private final List<Reading> open = new ArrayList<>();

  /** A split takes 51 s over the network, 25 s with a tenth of a core, and 125 with a fiftieth. */
  @Test
  void aProxyThatGetsAFewHundredthsOfACoreIsSlowerThanASlowNetwork() {
    assertThat(pushedOverSlowNetwork(0.1)).isEqualTo(1);
    assertThat(pushedOverSlowNetwork(0.02)).isZero();
  }

  private int pushedOverSlowNetwork(double share) {
    PushdownCosts costs =
        new PushdownCosts(
            COSTS.splits(), COSTS.operators(), COSTS.storage(), COSTS.compute(), 2 * MEGABYTE);
    ProxyStatus proxy =
        new ProxyStatus(
            PROXY.dataNode(),
            PROXY.cores(),
            PROXY.plans(),
            new ProxyStatus.Rates(0, 0, share),
            PROXY.totals());
    return new SplitDecider(costs, reads, false)
        .decide(SPLIT, 0, 1, Collections.nCopies(NODES, proxy), proxy)
        .pushed();
  }

  /** Over four links a split takes 0.5 s, and 5.5 s beside ten that another job reads. */
  @Test
  void anotherJobOfTheProcessHasAPartOfTheNetwork() {
    PushdownCosts costs =
        new PushdownCosts(
            COSTS.splits(),
            COSTS.operators(),
            COSTS.storage(),
            COSTS.compute(),
            NODES * ONE_STREAM);
    SplitDecider decider = new SplitDecider(costs, reads, false);
    List<ProxyStatus> storage = Collections.nCopies(NODES, PROXY);
    assertThat(decider.decide(SPLIT, 0, 1, storage, PROXY).pushed()).isZero();

    ReadsInProgress ofAnother = new ReadsInProgress(all);
    for (int split = 0; split < 10; split++) {
      ofAnother.beginHere((long) SPLIT);
    }

    assertThat(decider.decide(SPLIT, 0, 1, storage, PROXY).pushed()).isEqualTo(1);
  }

  private SplitDecision decide(boolean learns) {
    return new SplitDecider(COSTS, reads, learns)
        .decide(SPLIT, 0, 1, Collections.nCopies(NODES, PROXY), PROXY);
  }

  /**
   * Four splits are read at a time, a piece of each every 10 ms.
   *
   * @param waiting part of the time in which their readers wait for it
   */
  private void read(double bytesPerSecond, double seconds, double waiting) {
    List<Reading> readings = new ArrayList<>();
    for (int split = 0; split < NODES; split++) {
      readings.add(reads.beginHere((long) SPLIT));
    }
    for (int step = 0; step < seconds * 100; step++) {
      nanos += Math.round(10_000_000 * (1 - waiting));
      readings.forEach(Reading::waits);
      nanos += Math.round(10_000_000 * waiting);
      readings.forEach(reading -> reading.arrived(Math.round(bytesPerSecond / 400)));
    }
    open.addAll(readings);
  }

  @AfterEach
  void nothingIsReadAnyMore() {
    open.forEach(Reading::close);
  }

  private double bytesPerSecond() {
    return decide(true).load().network().bytesPerSecond();
  }

  @Test
  void severalLinksBringMoreThanTheOneThatWasMeasured() {
    assertThat(decide(true).pushed()).isEqualTo(1);

    read(NODES * ONE_STREAM, 2, 1);

    assertThat(bytesPerSecond()).isCloseTo(NODES * ONE_STREAM, within(0.01 * ONE_STREAM));
    assertThat(decide(true).pushed()).isZero();
    assertThat(decide(false).load().network().bytesPerSecond())
        .as("the user has said how fast it is")
        .isEqualTo(ONE_STREAM);
  }

  /** A sample may have come with what a link carries at once after it had nothing to do. */
  @Test
  void aNetworkThatIsWaitedForAllTheTimeIsAsSlowAsItLooks() {
    read(ONE_STREAM / 2, 2, 1);

    assertThat(bytesPerSecond()).isCloseTo(ONE_STREAM / 2, within(0.01 * ONE_STREAM));
  }

  @Test
  void whatReadersTakeToWorkOnItIsNotTheNetworks() {
    read(ONE_STREAM / 2, 4, 0.5);

    assertThat(bytesPerSecond()).isCloseTo(ONE_STREAM, within(0.01 * ONE_STREAM));
  }

  @Test
  void littleSaysNothing() {
    read(100 * ONE_STREAM, 0.1, 1);
    assertThat(bytesPerSecond()).as("in a tenth of a second").isEqualTo(ONE_STREAM);
    open.forEach(Reading::close);
    open.clear();

    read(MEGABYTE, 2, 1);
    assertThat(bytesPerSecond()).as("of two megabytes").isEqualTo(ONE_STREAM);
  }

  @Test
  void halfOfAPieceThatIsWaitedForHasCome() {
    read(ONE_STREAM, 1, 1);
    nanos += 10_000_000L;
    open.get(0).waits();
    nanos += 500_000_000L;
    double withHalf = bytesPerSecond();
    open.get(0).arrived(0);
    assertThat(withHalf - bytesPerSecond()).isCloseTo(ONE_STREAM / 400 / 2 / 1.5, within(100.0));
  }

  @Test
  void aNetworkThatChangesIsBelievedInTheEnd() {
    read(ONE_STREAM, 20, 1);
    read(ONE_STREAM / 2, 20, 1);

    assertThat(bytesPerSecond()).isBetween(0.5 * ONE_STREAM, 0.7 * ONE_STREAM);
  }

  @Test
  void whatIsKnownOfASlowNetworkStaysKnown() {
    read(MEGABYTE / 2, 11, 1);

    assertThat(bytesPerSecond()).isCloseTo(MEGABYTE / 2, within(0.01 * MEGABYTE));
  }

  @Test
  void whatCameBeforeNobodyReadIsForgotten() {
    read(ONE_STREAM / 2, 2, 1);
    open.forEach(Reading::close);
    open.clear();

    assertThat(bytesPerSecond()).isEqualTo(ONE_STREAM);
  }
}
