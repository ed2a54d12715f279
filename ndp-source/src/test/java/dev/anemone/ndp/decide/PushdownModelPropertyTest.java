// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** What must hold of all decisions. */
class PushdownModelPropertyTest {
  private static final double ROUNDING = 1e-9;

  /**
   * The inequality of the paper, written down once more, where a transfer waits for what the others
   * have left when its plan is done.
   */
  @Property(tries = 300)
  void neighbouringEstimatesAreTheTwoSidesOfTheInequality(
      @ForAll("splits") SplitCost split, @ForAll("loads") SystemLoad load) {
    SplitDecision decision = PushdownModel.forSplit(split, load, load.storage());

    double plan = 0;
    for (int index = 0; index < split.operators().size(); index++) {
      OperatorCost operator = split.operators().get(index);
      double bytesIn = split.bytesAfter(index);
      double bytesOut = bytesIn * operator.selectivity();
      double step = load.storage().seconds(bytesIn * operator.storageSecondsPerByte());
      double left =
          load.compute().seconds(bytesIn * operator.computeSecondsPerByte())
              + load.network().seconds(bytesIn, plan);
      double right = step + load.network().seconds(bytesOut, plan + step);
      double saved =
          decision.estimates().get(index).seconds() - decision.estimates().get(index + 1).seconds();
      assertThat(saved).isCloseTo(left - right, within(ROUNDING * (1 + left + right)));
      plan += step;
    }
  }

  @Property(tries = 300)
  void theChosenNumberHasTheSmallestEstimate(
      @ForAll("splits") SplitCost split, @ForAll("loads") SystemLoad load) {
    SplitDecision decision = PushdownModel.forSplit(split, load, load.storage());

    double chosen = decision.estimates().get(decision.pushed()).seconds();
    for (PushdownEstimate estimate : decision.estimates()) {
      assertThat(chosen).isLessThanOrEqualTo(estimate.seconds());
    }
    decision.estimates().subList(0, decision.pushed()).stream()
        .map(PushdownEstimate::seconds)
        .forEach(fewer -> assertThat(fewer).isGreaterThan(chosen));
  }

  /**
   * Where what others transfer has an end, a plan that takes longer than that costs no time at all:
   * its transfer would have waited. So a faster storage side makes those plans cheaper whose
   * transfers do not wait for the end, and these may be of fewer operators.
   */
  @Test
  void aFasterStorageSideMayPushLessWhileOthersHaveTheNetwork() {
    SplitCost split =
        new SplitCost(
            1000,
            List.of(
                new OperatorCost("narrow", 0.17, 2.5e-9, 1e-10),
                new OperatorCost("filter", 0.01, 2.3e-9, 1e-10),
                new OperatorCost("project", 0.73, 4.6e-9, 1e-10)));
    SystemLoad load =
        new SystemLoad(
            new ClusterLoad(13, 5, 0, 0, 0.5),
            new ClusterLoad(1, 1, 0, 0, 0.5),
            new NetworkLoad(1e6, 1, 376.39));
    ClusterLoad faster = new ClusterLoad(13, 5, 0, 0, 0.55);

    assertThat(PushdownModel.forSplit(split, load, load.storage()).pushed()).isEqualTo(3);
    assertThat(PushdownModel.forSplit(split, load, faster).pushed()).isEqualTo(2);
  }

  @Property(tries = 300)
  void moreBandwidthNeverPushesMore(
      @ForAll("splits") SplitCost split,
      @ForAll("loadsWithoutEnd") SystemLoad load,
      @ForAll @DoubleRange(min = 1.1, max = 100) double factor) {
    NetworkLoad network = load.network();
    SystemLoad faster =
        new SystemLoad(
            load.storage(),
            load.compute(),
            new NetworkLoad(
                network.bytesPerSecond() * factor, network.transfers(), network.bytesLeft()));

    SplitDecision before = PushdownModel.forSplit(split, load, load.storage());
    int after = PushdownModel.forSplit(split, faster, load.storage()).pushed();
    assertThat(after <= before.pushed() || isAsGood(before.estimates(), before.pushed(), after))
        .isTrue();
  }

  @Property(tries = 300)
  void aFasterStorageSideNeverPushesLess(
      @ForAll("splits") SplitCost split,
      @ForAll("loadsWithoutEnd") SystemLoad load,
      @ForAll @DoubleRange(min = 1.1, max = 100) double factor) {
    ClusterLoad node = load.storage();
    ClusterLoad faster =
        new ClusterLoad(
            node.nodes(),
            node.coresPerNode(),
            node.tasks(),
            node.workLeft(),
            node.drainRate() * factor);

    SplitDecision before = PushdownModel.forSplit(split, load, node);
    int after = PushdownModel.forSplit(split, load, faster).pushed();
    assertThat(after >= before.pushed() || isAsGood(before.estimates(), before.pushed(), after))
        .isTrue();
  }

  @Property(tries = 300)
  void aLongerQueueOnTheStorageSideNeverPushesMore(
      @ForAll("splits") SplitCost split,
      @ForAll("loadsWithoutEnd") SystemLoad load,
      @ForAll @IntRange(min = 1, max = 100) int more) {
    ClusterLoad node = load.storage();
    ClusterLoad longer =
        new ClusterLoad(
            node.nodes(),
            node.coresPerNode(),
            node.tasks() + more,
            node.workLeft(),
            node.drainRate());

    SplitDecision before = PushdownModel.forSplit(split, load, node);
    int after = PushdownModel.forSplit(split, load, longer).pushed();
    assertThat(after <= before.pushed() || isAsGood(before.estimates(), before.pushed(), after))
        .isTrue();
  }

  @Property(tries = 200)
  void workThatCostsTheStorageSideNothingIsAllPushed(
      @ForAll("splits") SplitCost split, @ForAll("loads") SystemLoad load) {
    List<OperatorCost> free =
        split.operators().stream()
            .map(
                operator ->
                    new OperatorCost(
                        operator.name(),
                        0.99 * Math.max(0.01, operator.selectivity()),
                        0,
                        operator.computeSecondsPerByte()))
            .toList();

    assertThat(
            PushdownModel.forSplit(new SplitCost(split.bytes(), free), load, load.storage())
                .pushed())
        .isEqualTo(free.size());
  }

  @Property(tries = 200)
  void theTimesGrowWithTheSizeAndTheChoiceStays(
      @ForAll("splits") SplitCost split,
      @ForAll("loads") SystemLoad load,
      @ForAll @IntRange(min = 1, max = 6) int powerOfTwo) {
    double factor = Math.scalb(1.0, powerOfTwo);
    SplitCost larger = new SplitCost(split.bytes() * factor, split.operators());
    SystemLoad same =
        new SystemLoad(
            load.storage(),
            load.compute(),
            NetworkLoad.ofTransfers(load.network().bytesPerSecond(), load.network().transfers()));

    SplitDecision one = PushdownModel.forSplit(split, same, load.storage());
    SplitDecision other = PushdownModel.forSplit(larger, same, load.storage());

    assertThat(other.pushed()).isEqualTo(one.pushed());
    for (int pushed = 0; pushed < one.estimates().size(); pushed++) {
      double expected = factor * one.estimates().get(pushed).seconds();
      assertThat(other.estimates().get(pushed).seconds())
          .isCloseTo(expected, within(ROUNDING * expected));
    }
  }

  @Property(tries = 200)
  void noMixOfTwoNumbersIsShorterThanTheBestOne(
      @ForAll("splits") SplitCost split,
      @ForAll("loads") SystemLoad load,
      @ForAll @IntRange(min = 1, max = 500) int splits) {
    JobDecision decision = PushdownModel.forJob(new JobCost(split, splits), load);

    double best = decision.mix().seconds();
    for (PushdownEstimate fewer : decision.estimates()) {
      assertThat(best).isLessThanOrEqualTo(fewer.seconds() * (1 + ROUNDING));
      for (PushdownEstimate more : decision.estimates()) {
        for (int tenth = 1; tenth < 10; tenth++) {
          double share = tenth / 10.0;
          assertThat(best)
              .isLessThanOrEqualTo(
                  Math.max(
                          mixed(fewer.storageSeconds(), more.storageSeconds(), share),
                          Math.max(
                              mixed(fewer.networkSeconds(), more.networkSeconds(), share),
                              mixed(fewer.computeSeconds(), more.computeSeconds(), share)))
                      * (1 + ROUNDING));
        }
      }
    }
  }

  @Property(tries = 200)
  void moreBandwidthNeverPlansToPushMore(
      @ForAll("splits") SplitCost split,
      @ForAll("loads") SystemLoad load,
      @ForAll @IntRange(min = 1, max = 500) int splits,
      @ForAll @DoubleRange(min = 1.1, max = 100) double factor) {
    NetworkLoad network = load.network();
    SystemLoad faster =
        new SystemLoad(
            load.storage(),
            load.compute(),
            new NetworkLoad(
                network.bytesPerSecond() * factor, network.transfers(), network.bytesLeft()));
    JobCost job = new JobCost(split, splits);

    JobDecision before = PushdownModel.forJob(job, load);
    int after = PushdownModel.forJob(job, faster).pushed();
    assertThat(after <= before.pushed() || isAsGood(before.estimates(), before.pushed(), after))
        .isTrue();
  }

  @Property(tries = 200)
  void aSplitMakesItsJobHardlyLongerThanItMust(
      @ForAll("splits") SplitCost split,
      @ForAll("loads") SystemLoad load,
      @ForAll @IntRange(max = 500) int remaining) {
    SplitDecision decision =
        PushdownModel.forSplit(split, new JobCost(split, remaining), load, load.storage());

    assertThat(decision.jobSeconds().get(decision.pushed()))
        .isLessThanOrEqualTo(
            Collections.min(decision.jobSeconds()) * (1 + 0.02 / (remaining + 1) + ROUNDING));
  }

  @Property(tries = 200)
  void aJobEndsNoSoonerThanTheSplit(
      @ForAll("splits") SplitCost split,
      @ForAll("loads") SystemLoad load,
      @ForAll @IntRange(max = 500) int remaining) {
    SplitDecision decision =
        PushdownModel.forSplit(split, new JobCost(split, remaining), load, load.storage());

    for (int pushed = 0; pushed < decision.jobSeconds().size(); pushed++) {
      assertThat(decision.jobSeconds().get(pushed))
          .isGreaterThanOrEqualTo(decision.estimates().get(pushed).seconds());
    }
  }

  /**
   * Where two numbers are as good as each other, as when all wait for a long queue, another part of
   * the system may decide.
   */
  private static boolean isAsGood(List<PushdownEstimate> estimates, int one, int other) {
    double seconds = estimates.get(one).seconds();
    return Math.abs(estimates.get(other).seconds() - seconds) <= ROUNDING * seconds;
  }

  private static double mixed(double fewer, double more, double share) {
    return (1 - share) * fewer + share * more;
  }

  /** Splits whose operators make the data no larger. */
  @Provide
  Arbitrary<SplitCost> splits() {
    Arbitrary<Double> work = Arbitraries.integers().between(1, 1_000).map(tenths -> tenths * 1e-10);
    Arbitrary<OperatorCost> operators =
        Combinators.combine(Arbitraries.doubles().between(0, 1), work, work)
            .as(
                (selectivity, storage, compute) ->
                    new OperatorCost("operator", selectivity, storage, compute));
    return Combinators.combine(
            Arbitraries.doubles().between(1e3, 1e9), operators.list().ofMinSize(1).ofMaxSize(4))
        .as(SplitCost::new);
  }

  /** Loads whose transfers go on for longer than any plan takes. */
  @Provide
  Arbitrary<SystemLoad> loadsWithoutEnd() {
    return loads()
        .map(
            load ->
                new SystemLoad(
                    load.storage(),
                    load.compute(),
                    NetworkLoad.ofTransfers(
                        load.network().bytesPerSecond(), load.network().transfers())));
  }

  @Provide
  Arbitrary<SystemLoad> loads() {
    Arbitrary<ClusterLoad> clusters =
        Combinators.combine(
                Arbitraries.integers().between(1, 16),
                Arbitraries.integers().between(1, 32),
                Arbitraries.integers().between(0, 500),
                Arbitraries.doubles().between(0, 1e3),
                Arbitraries.doubles().between(0.5, 500))
            .as(ClusterLoad::new);
    Arbitrary<NetworkLoad> networks =
        Combinators.combine(
                Arbitraries.doubles().between(1e6, 1e10),
                Arbitraries.integers().between(0, 200),
                Arbitraries.doubles().between(0, 1e11))
            .as(NetworkLoad::new);
    return Combinators.combine(clusters, clusters, networks).as(SystemLoad::new);
  }
}
