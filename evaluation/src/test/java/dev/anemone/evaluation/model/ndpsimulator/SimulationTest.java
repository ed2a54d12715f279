// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.anemone.evaluation.lab.simulation.SimulatedTime;
import dev.anemone.evaluation.lab.simulation.SimulatedTime.SharedLink;
import dev.anemone.evaluation.model.ndpsimulator.PushdownPolicy.Oracle;
import dev.anemone.evaluation.model.ndpsimulator.Query.QueryShape;
import dev.anemone.evaluation.model.ndpsimulator.Scenarios.Clusters;
import dev.anemone.evaluation.model.ndpsimulator.Simulation.Outcome;
import dev.anemone.ndp.decide.OperatorCost;
import dev.anemone.ndp.decide.SplitCost;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Runs whose times can be worked out by hand. */
class SimulationTest {
  /** 100 bytes; 1 s of work on the storage side or 2 s on the compute side, and keeps a tenth. */
  private static final OperatorCost FILTER = new OperatorCost("filter", 0.1, 0.01, 0.02);

  private static final double PRECISION = 1e-9;

  @Test
  void aTaskFetchesAndComputesOneAfterTheOther() {
    Outcome outcome = Simulation.run(clusters(1, 1, 50), List.of(query(1)), PushdownPolicy.none());

    assertThat(outcome.querySeconds()).singleElement().satisfies(close(2 + 2));
    assertThat(outcome.networkBytes()).isCloseTo(100, within(PRECISION));
    assertThat(outcome.storageCoreSeconds()).isZero();
    assertThat(outcome.splitsByPushed()).containsExactly(1, 0);
  }

  @Test
  void whatIsPushedRunsOnTheStorageSideAndSendsWhatItLeaves() {
    Outcome outcome = Simulation.run(clusters(1, 1, 50), List.of(query(1)), PushdownPolicy.full());

    assertThat(outcome.querySeconds()).singleElement().satisfies(close(1 + 0.2));
    assertThat(outcome.networkBytes()).isCloseTo(10, within(PRECISION));
    assertThat(outcome.storageCoreSeconds()).isCloseTo(1, within(PRECISION));
  }

  @Test
  void plansWaitForTheCoresOfTheNodeThatHoldsTheirSplits() {
    // Four splits on two nodes, each with one core: two plans one after the other.
    Outcome outcome = Simulation.run(clusters(2, 4, 1e9), List.of(query(4)), PushdownPolicy.full());

    assertThat(outcome.querySeconds()).singleElement().satisfies(close(2 + 20 / 1e9));
  }

  @Test
  void tasksWaitForTheCoresOfTheComputeCluster() {
    Outcome outcome = Simulation.run(clusters(1, 2, 1e9), List.of(query(5)), PushdownPolicy.none());

    // Three rounds of two seconds, and transfers that take next to nothing.
    assertThat(outcome.querySeconds().get(0)).isCloseTo(6, within(1e-6));
  }

  @Test
  void queriesTakeTurns() {
    Outcome outcome =
        Simulation.run(clusters(1, 1, 1e9), List.of(query(3), query(3)), PushdownPolicy.none());

    assertThat(outcome.querySeconds().get(0)).isCloseTo(10, within(1e-6));
    assertThat(outcome.querySeconds().get(1)).isCloseTo(12, within(1e-6));
  }

  @Test
  void transfersShareTheNetworkChunkByChunk() {
    SimulatedTime time = new SimulatedTime();
    SharedLink link = new SharedLink(time, 10, 5);
    List<String> ends = new ArrayList<>();
    link.send(20, () -> ends.add("long at " + time.now()));
    link.send(5, () -> ends.add("short at " + time.now()));
    assertThat(link.transfers()).isEqualTo(2);
    assertThat(link.bytesLeft()).isEqualTo(25);

    time.run();

    assertThat(ends).containsExactly("short at 1.0", "long at 2.5");
    assertThat(link.transfers()).isZero();
    assertThat(link.sentBytes()).isEqualTo(25);
  }

  @Test
  void theOracleTriesEveryChoiceOfEveryQuery() {
    // The network carries one split raw while the storage core filters the other.
    Query cheap =
        new Query(
            "cheap", List.of(FILTER), Collections.nCopies(1, new SplitCost(100, List.of(FILTER))));
    OperatorCost slow = new OperatorCost("slow", 0.1, 0.1, 0.001);
    Query costly =
        new Query(
            "costly", List.of(slow), Collections.nCopies(1, new SplitCost(100, List.of(slow))));

    Oracle oracle = Oracle.of(clusters(1, 2, 100), List.of(cheap, costly));

    assertThat(oracle.pushed()).containsExactly(1, 0);
    assertThat(oracle.seconds()).isCloseTo((1.1 + 1.1) / 2, within(1e-6));
  }

  @Test
  void theSplitsOfASeedAreTheSameAndTheirMeanIsWhatIsBelieved() {
    Query one = Query.generate(QueryShape.Q6, 0.5, 4_000, 1e6, 0.2, 7);
    Query same = Query.generate(QueryShape.Q6, 0.5, 4_000, 1e6, 0.2, 7);

    assertThat(one).isEqualTo(same);
    assertThat(one.splits())
        .isNotEqualTo(Query.generate(QueryShape.Q6, 0.5, 4_000, 1e6, 0.2, 8).splits());
    double work =
        one.splits().stream().mapToDouble(split -> split.storageWork(1)).average().orElseThrow();
    assertThat(work).isCloseTo(one.meanSplit().storageWork(1), within(0.01 * work));
  }

  private static Consumer<Double> close(double expected) {
    return value -> assertThat(value).isCloseTo(expected, within(PRECISION));
  }

  private static Query query(int splits) {
    return new Query(
        "query", List.of(FILTER), Collections.nCopies(splits, new SplitCost(100, List.of(FILTER))));
  }

  private static Clusters clusters(int storageNodes, int computeCores, double bytesPerSecond) {
    return new Clusters(storageNodes, 1, 1, computeCores, bytesPerSecond, 10);
  }
}
