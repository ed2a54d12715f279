// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Decisions whose numbers can be worked out by hand. */
class PushdownModelTest {
  /** 1 s of work on either side, keeps a tenth of 100 bytes. */
  private static final OperatorCost FILTER = new OperatorCost("filter", 0.1, 0.01, 0.01);

  /** 0.2 s of work on the 10 bytes that are left, and keeps none. */
  private static final OperatorCost COUNT = new OperatorCost("count", 0, 0.02, 0.02);

  private static final SplitCost SPLIT = new SplitCost(100, List.of(FILTER, COUNT));

  @Test
  void aSplitTakesItsTimesOneAfterTheOther() {
    SystemLoad load = load(1, 0, NetworkLoad.ofTransfers(100, 1));

    SplitDecision decision = PushdownModel.forSplit(SPLIT, load, load.storage());

    assertThat(decision.estimates())
        .usingRecursiveFieldByFieldElementComparator()
        .usingComparatorForType((one, other) -> Math.abs(one - other) < 1e-9 ? 0 : 1, Double.class)
        .containsExactly(
            new PushdownEstimate(0, 100, 0, 2, 1.2, 3.2),
            new PushdownEstimate(1, 10, 1, 0.2, 0.2, 1.4),
            new PushdownEstimate(2, 0, 1.2, 0, 0, 1.2));
    assertThat(decision.pushed()).isEqualTo(2);
    assertThat(decision.pays(0)).isTrue();
    assertThat(decision.pays(1)).isTrue();
  }

  @Test
  void aLongQueueOnTheStorageSideKeepsTheSplitAway() {
    SystemLoad load = load(1, 7, NetworkLoad.ofTransfers(100, 1));

    SplitDecision decision = PushdownModel.forSplit(SPLIT, load, load.storage());

    assertThat(decision.estimates().get(1).storageSeconds()).isCloseTo(8, within(1e-9));
    assertThat(decision.pushed()).isZero();
  }

  @Test
  void aSideThatHasBegunGoesOn() {
    SystemLoad load = load(1, 0, NetworkLoad.ofTransfers(100, 1));
    OperatorCost dear = new OperatorCost("count", 0.5, 0.05, 0.02);
    SplitCost atOnce = new SplitCost(100, List.of(FILTER, dear));
    SplitCost slowly = new SplitCost(100, List.of(FILTER, dear), new StartCost(0.1, 0.5));

    assertThat(PushdownModel.forSplit(atOnce, load, load.storage()).pushed()).isEqualTo(1);
    SplitDecision decision = PushdownModel.forSplit(slowly, load, load.storage());

    assertThat(decision.estimates())
        .extracting(PushdownEstimate::storageSeconds)
        .usingComparatorForType(PushdownModelTest::nearly, Double.class)
        .containsExactly(0.0, 1.1, 1.6);
    assertThat(decision.estimates())
        .extracting(PushdownEstimate::computeSeconds)
        .usingComparatorForType(PushdownModelTest::nearly, Double.class)
        .containsExactly(1.7, 0.7, 0.0);
    assertThat(decision.pushed()).isEqualTo(2);
  }

  private static int nearly(double one, double other) {
    return Math.abs(one - other) < 1e-9 ? 0 : Double.compare(one, other);
  }

  @Test
  void aTransferWaitsForNoMoreThanWhatTheOthersHaveLeft() {
    assertThat(new NetworkLoad(100, 9, 50).seconds(100, 0)).isCloseTo(1.5, within(1e-9));
    assertThat(new NetworkLoad(100, 9, 50).seconds(1, 0)).isCloseTo(0.1, within(1e-9));
    assertThat(NetworkLoad.ofTransfers(100, 9).seconds(100, 0)).isCloseTo(10, within(1e-9));
  }

  @Test
  void theNetworkGoesOnWhileTheStorageSideWorks() {
    assertThat(new NetworkLoad(100, 9, 50).seconds(100, 0.2)).isCloseTo(1.3, within(1e-9));
    assertThat(new NetworkLoad(100, 9, 50).seconds(100, 7)).isCloseTo(1, within(1e-9));
    assertThat(NetworkLoad.ofTransfers(100, 9).seconds(100, 7)).isCloseTo(10, within(1e-9));
    // Raw it waits for the 300 bytes that are under way; filtered it comes when they are gone.
    SystemLoad busy = load(1, 0, new NetworkLoad(100, 9, 300));
    OperatorCost filter = new OperatorCost("filter", 0.9, 0.03, 0);
    SplitCost split = new SplitCost(100, List.of(filter));

    SplitDecision decision = PushdownModel.forSplit(split, busy, busy.storage());

    assertThat(decision.estimates())
        .extracting(PushdownEstimate::seconds)
        .usingComparatorForType(PushdownModelTest::nearly, Double.class)
        .containsExactly(4.0, 3.9);
    assertThat(decision.pushed()).isEqualTo(1);
  }

  @Test
  void doesNotStopAtAnOperatorThatDoesNotPayWhenOneAfterItDoes() {
    OperatorCost larger = new OperatorCost("project", 1.5, 0.001, 0.001);
    SplitCost split = new SplitCost(100, List.of(larger, FILTER));
    SystemLoad load = load(1, 0, NetworkLoad.ofTransfers(50, 0));

    SplitDecision decision = PushdownModel.forSplit(split, load, load.storage());

    assertThat(decision.pays(0)).isFalse();
    assertThat(decision.pushed()).isEqualTo(2);
  }

  @Test
  void aJobIsDividedSoThatBothSidesFinishTogether() {
    // A split is 1 s of the network, or 1.2 s of the only storage core.
    SystemLoad load = load(1, 0, new NetworkLoad(100, 0, 0));

    JobDecision decision = PushdownModel.forJob(new JobCost(SPLIT, 220), load);

    assertThat(decision.estimates())
        .extracting(PushdownEstimate::seconds)
        .satisfiesExactly(
            none -> assertThat(none).isCloseTo(220, within(1e-6)),
            filter -> assertThat(filter).isCloseTo(220, within(1e-6)),
            all -> assertThat(all).isCloseTo(264, within(1e-6)));
    assertThat(decision.pushed()).isZero();
    // 1 - x of the network's seconds and x of the core's, less the filter's tenth.
    assertThat(decision.mix().fewer()).isZero();
    assertThat(decision.mix().seconds()).isBetween(110.0, 220 * 1.2 / 2.2 + 1e-6);
  }

  @Test
  void whatMakesTheJobLongerIsLeftOutThoughTheQueuesAreEmpty() {
    // Alone on the network, the raw split is there in 1.6 s: sooner than the filter is done.
    OperatorCost slowFilter = new OperatorCost("filter", 0.1, 0.03, 0.006);
    SplitCost split = new SplitCost(100, List.of(slowFilter));
    SystemLoad load =
        new SystemLoad(
            ClusterLoad.ofOwnCores(4, 16, 0, 0),
            ClusterLoad.ofOwnCores(4, 16, 0, 0),
            new NetworkLoad(100, 0, 0));

    SplitDecision alone = PushdownModel.forSplit(split, load, load.storage());
    SplitDecision ofJob =
        PushdownModel.forSplit(split, new JobCost(split, 1_000), load, load.storage());

    assertThat(alone.pushed()).isZero();
    assertThat(ofJob.pushed()).isEqualTo(1);
    assertThat(ofJob.jobSeconds().get(1)).isLessThan(ofJob.jobSeconds().get(0));
  }

  @Test
  void theLastSplitIsNotReadRawThoughTheNetworkIsIdle() {
    // Raw it is there after 0.8 s and done after 1.6 s; the storage side is done with all after
    // 1.25 s. Each resource alone would be done sooner with a raw one.
    OperatorCost filter = new OperatorCost("filter", 0, 0.0025, 0.008);
    SplitCost split = new SplitCost(100, List.of(filter));
    SystemLoad load =
        new SystemLoad(
            ClusterLoad.ofOwnCores(1, 1, 2, 1),
            ClusterLoad.ofOwnCores(1, 8, 0, 0),
            new NetworkLoad(125, 0, 0));

    SplitDecision last = PushdownModel.forSplit(split, new JobCost(split, 0), load, load.storage());

    assertThat(last.jobSeconds().get(0)).isCloseTo(1.6, within(1e-9));
    assertThat(last.jobSeconds().get(1)).isCloseTo(1.25, within(1e-9));
    assertThat(last.pushed()).isEqualTo(1);
  }

  @Test
  void tasksShareCoresButKeepTheirSlots() {
    // One core: what all splits have to do is 1.2 s each; four slots hide that they wait.
    SystemLoad load =
        new SystemLoad(
            ClusterLoad.ofOwnCores(1, 1, 0, 0),
            ClusterLoad.ofOwnCores(1, 1, 0, 0),
            new NetworkLoad(100, 0, 0),
            4);

    List<PushdownEstimate> estimates =
        PushdownModel.forJob(new JobCost(SPLIT, 10), load).estimates();

    assertThat(estimates.get(0).computeSeconds()).isCloseTo(12, within(1e-9));
    assertThat(estimates.get(2).computeSeconds())
        .as("they hold slots while the storage side works")
        .isCloseTo(3, within(1e-9));
  }

  @Test
  void refusesASplitOfAnotherJob() {
    SystemLoad load = load(1, 0, NetworkLoad.ofTransfers(100, 0));
    JobCost other = new JobCost(new SplitCost(100, List.of(FILTER)), 1);

    assertThatThrownBy(() -> PushdownModel.forSplit(SPLIT, other, load, load.storage()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A split with 2 operators is not of a job with 1.");
  }

  @Test
  void refusesFiguresThatAreNone() {
    assertThatThrownBy(() -> new OperatorCost("filter", -1, 0, 0))
        .hasMessage("The selectivity of filter is -1.0; it must be 0 or more.");
    assertThatThrownBy(() -> new SplitCost(Double.NaN, List.of()))
        .hasMessage("The size of a split is NaN; it must be 0 or more.");
    assertThatThrownBy(() -> NetworkLoad.ofTransfers(0, 0))
        .hasMessage("The bandwidth is 0.0; it must be above 0.");
    assertThatThrownBy(() -> new NetworkLoad(1, 0, Double.NaN))
        .hasMessageContaining("they must be 0 or more");
    assertThatThrownBy(() -> new ClusterLoad(1, 1, 0, 0, 0))
        .hasMessage("A drain rate is 0.0; it must be above 0.");
  }

  @Test
  void printsTheNumbersBehindADecision() {
    SystemLoad load = load(1, 2, NetworkLoad.ofTransfers(100e6, 1));
    SplitCost split = new SplitCost(100e6, List.of(new OperatorCost("filter", 0.1, 1e-8, 1e-8)));

    assertThat(PushdownModel.forSplit(split, load, load.storage()).toString())
        .isEqualTo(
            """
            a split of 100.000 MB
            storage  1 x 1 cores, 2 tasks, drains 1.0 core-s/s
            network  100.000 MB/s, 1 transfers
            compute  1 x 8 cores, 0 tasks, drains 8.0 core-s/s, 8 slots
            node     1 x 1 cores, 2 tasks, drains 1.0 core-s/s
              pushed up to               sent  storage s  network s  compute s   in all s
            > nothing              100.000 MB      0.000      2.000      1.000      3.000
              filter                10.000 MB      3.000      0.200      0.000      3.200
            """);
    assertThat(
            PushdownModel.forSplit(split, load(1, 2, new NetworkLoad(1e8, 1, 5e6)), load.storage())
                .toString())
        .contains("network  100.000 MB/s, 1 transfers of 5.000 MB\n");
    assertThat(PushdownModel.forJob(new JobCost(split, 100), load).toString())
        .startsWith("100 splits of 100.000 MB\n")
        .contains("> nothing ")
        .contains("best: filter for ")
        .contains(" % of the splits, nothing for the others: ");
    assertThat(
            PushdownModel.forSplit(split, new JobCost(split, 3), load, load.storage()).toString())
        .contains("  in all s      job s\n");
  }

  private static SystemLoad load(int storageCores, int plans, NetworkLoad network) {
    return new SystemLoad(
        ClusterLoad.ofOwnCores(1, storageCores, plans, 0),
        ClusterLoad.ofOwnCores(1, 8, 0, 0),
        network);
  }
}
