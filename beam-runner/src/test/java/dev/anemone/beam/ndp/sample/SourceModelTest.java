// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ndp.decide.ClusterLoad;
import dev.anemone.ndp.decide.SourceModel;
import dev.anemone.ndp.protocol.ProxyStatus;
import dev.anemone.passes.PushdownAdvisor.Advice;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the model is told, and what the job is advised by it. */
class SourceModelTest {

  private final SampledPushdownAdvisor advisor = new SampledPushdownAdvisor();

  @Test
  void allIsCutWhereTheNetworkIsSlow() {
    Advice advice = advisor.advise(costs(1e5, 4));
    assertThat(advice.operators()).isEqualTo(2);
    assertThat(advice.reason()).contains("expected");
    assertThat(advice.numbers())
        .anyMatch(line -> line.startsWith("network"))
        .anyMatch(line -> line.startsWith("> Aggregate"));
  }

  @Test
  void nothingIsCutWhereTheStorageSideIsSlowAndTheNetworkFast() {
    assertThat(advisor.advise(costs(1e11, 0.2)).operators()).isZero();
  }

  @Test
  void nothingIsCutWhereNoProxyAnswers() {
    Advice advice = advisor.advise(notTried(8, 1e6, 0, 0, 0));
    assertThat(advice.operators()).isZero();
    assertThat(advice.reason()).contains("--ndpProxies");
  }

  @Test
  void whatTheStorageSideIsSoonDoneWithIsPushedWithoutASample() {
    Advice advice = advisor.advise(notTried(2, 1.25e6, 2, 1, 2));
    assertThat(advice.operators()).isEqualTo(Integer.MAX_VALUE);
    assertThat(advice.reason()).contains("2.500 MB");
    ProxyStatus busy = status(2, 0, 0, 1.5, 3);
    assertThat(SampledPushdownAdvisor.secondsOf(30_000_000, List.of(busy, busy)))
        .as("by what they did last")
        .isEqualTo(0.15);
    ProxyStatus fresh = status(2, 0, 0, ProxyStatus.Rates.NONE);
    assertThat(SampledPushdownAdvisor.secondsOf(30_000_000, List.of(fresh)))
        .as("by what two cores may do")
        .isEqualTo(0.6);
  }

  @Test
  void queuesAreAddedUp() {
    SourceModel model = new SourceModel(costs(1e8, 4), 2);
    ClusterLoad load = model.storage(List.of(status(2, 1, 3, 1.5, 3), status(4, 0, 0, 0, 0)));
    assertThat(load.nodes()).isEqualTo(2);
    assertThat(load.coresPerNode()).isEqualTo(3);
    assertThat(load.tasks()).isEqualTo(4);
    assertThat(load.workLeft()).as("one of four is half done").isEqualTo(3.5 * 0.5);
    assertThat(load.drainRate())
        .as("never less than a thousandth of the cores")
        .isEqualTo(1.5 + 0.001 * 4);
  }

  @Test
  void aProxyThatHasRunNothingIsTakenToRunSuchPlans() {
    SourceModel model = new SourceModel(costs(1e8, 4), 2);
    ClusterLoad load = model.storage(List.of(status(2, 2, 0, 2, 0)));
    assertThat(load.workLeft()).isEqualTo(model.meanSplit().storageWork(2));
  }

  static ProxyStatus status(int cores, int running, int queued, double coreSeconds, double plans) {
    return status(cores, running, queued, new ProxyStatus.Rates(plans, 1e8, coreSeconds));
  }

  private static ProxyStatus status(int cores, int running, int queued, ProxyStatus.Rates rates) {
    return new ProxyStatus(
        new ProxyStatus.DataNodeIdentity("", "host", 1, 2),
        cores,
        new ProxyStatus.Plans(running, queued, 8),
        rates,
        ProxyStatus.Totals.NONE);
  }

  private static PushdownCosts notTried(
      int splits, double splitBytes, int nodes, int coresPerNode, double drainRate) {
    return new PushdownCosts(
        new PushdownCosts.Splits(splits, splitBytes, 1),
        List.of(),
        new PushdownCosts.Storage(nodes, coresPerNode, drainRate, 0),
        new PushdownCosts.Compute(2, 2, 0),
        0);
  }

  private static PushdownCosts costs(double network, double drainRate) {
    return new PushdownCosts(
        new PushdownCosts.Splits(16, 64e6, 1),
        List.of(
            new PushdownCosts.Operator("Filter", 0.1, 1e-8, 1e-8),
            new PushdownCosts.Operator("Aggregate", 0.001, 1e-9, 1e-9)),
        new PushdownCosts.Storage(2, 2, drainRate, 0.03),
        new PushdownCosts.Compute(4, 4, 0.02),
        network);
  }
}
