// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ndp.decide.ClusterLoad;
import dev.anemone.ndp.decide.NetworkLoad;
import dev.anemone.ndp.decide.OperatorCost;
import dev.anemone.ndp.decide.PushdownModel;
import dev.anemone.ndp.decide.SplitCost;
import dev.anemone.ndp.decide.SplitDecision;
import dev.anemone.ndp.decide.SystemLoad;
import dev.anemone.runtime.event.PushdownDecided;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SplitOutcomeTest {

  private static final FileSplit SPLIT =
      new FileSplit("hdfs://nn/t/a.csv", 0, 1000, 1000, List.of("node1"));

  private static final List<RelationalOperator> PUSHABLE =
      List.of(new RelationalOperator.Project(List.of()), new RelationalOperator.Project(List.of()));

  @Test
  void whatWasPushedIsTheFirstOperators() {
    PushdownDecided told =
        new SplitOutcome(Optional.of("node1:9"), 1, Optional.empty(), Optional.empty(), 7)
            .event("v1", SPLIT, PUSHABLE);

    assertThat(told.operators()).hasSize(1);
    assertThat(told.host()).contains("node1:9");
    assertThat(told.split()).isEqualTo("hdfs://nn/t/a.csv[0, 1000)");
    assertThat(told.predictedMs()).isEmpty();
    assertThat(told.actualMs()).contains(7L);
    assertThat(told.cause()).isEmpty();
  }

  @Test
  void whatTheModelFoundNotWorthItIsToldWithItsNumbers() {
    SplitDecision decision = decision(1e12);
    assertThat(decision.pushed()).as("over a fast network").isZero();
    PushdownDecided told =
        new SplitOutcome(Optional.empty(), 0, Optional.empty(), Optional.of(decision), 7)
            .event("v1", SPLIT, PUSHABLE);

    assertThat(told.cause()).contains("pushing was not worth it");
    assertThat(told.predictedMs())
        .hasValueSatisfying(ms -> assertThat(ms.pushed()).isGreaterThan(ms.pulled()));
    assertThat(told.jobMs()).as("nothing was known of the job").isEmpty();
  }

  @Test
  void whatWasRefusedIsToldWithTheReasonAndTheNumbers() {
    SplitDecision decision = decision(1e3);
    assertThat(decision.pushed()).as("over a slow network").isPositive();
    PushdownDecided told =
        new SplitOutcome(Optional.empty(), 0, Optional.of("busy"), Optional.of(decision), 7)
            .event("v1", SPLIT, PUSHABLE);

    assertThat(told.cause()).contains("busy");
    assertThat(told.predictedMs())
        .hasValueSatisfying(ms -> assertThat(ms.pushed()).isLessThan(ms.pulled()));
  }

  private static SplitDecision decision(double bytesPerSecond) {
    OperatorCost half = new OperatorCost("half", 0.5, 1e-7, 1e-7);
    ClusterLoad storage = ClusterLoad.ofOwnCores(1, 1, 3, 0.5);
    return PushdownModel.forSplit(
        new SplitCost(1e6, List.of(half, half)),
        new SystemLoad(
            storage,
            ClusterLoad.ofOwnCores(1, 4, 0, 0),
            NetworkLoad.ofTransfers(bytesPerSecond, 0),
            4),
        storage);
  }
}
