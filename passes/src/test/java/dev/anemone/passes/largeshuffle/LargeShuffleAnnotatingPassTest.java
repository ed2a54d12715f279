// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.largeshuffle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataPersistence;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import dev.anemone.passes.defaults.DataFlowPass;
import dev.anemone.passes.defaults.PushDataFlowPass;
import dev.anemone.passes.defaults.ScheduleGroupPass;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LargeShuffleAnnotatingPassTest {

  private static final LargeShuffleAnnotatingPass PASS = new LargeShuffleAnnotatingPass();

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches(
        "LargeShuffleAnnotatingPass",
        Plans.lastStep(Plans.join(), Plans.CONTEXT, new LargeShuffleReshapingPass(), PASS));
  }

  @ParameterizedTest(name = "{0} slots, option {1}, {2} consumer tasks: {3} aggregation tasks")
  @CsvSource({
    "1, 0, 100, 1",
    "3, 0, 100, 1",
    "8, 0, 100, 2",
    "100, 0, 1000, 25",
    // An idle aggregation task would only hold a slot.
    "100, 0, 10, 10",
    "2, 7, 100, 7",
    "2, 7, 3, 3",
  })
  void aggregationTasksFollowTheSlots(int slots, int option, int consumers, int tasks) {
    IRDag dag = relayed().apply(new SetVertexProperty("count", new Parallelism(consumers)));
    PassContext context =
        PassContext.of(
            slots,
            Plans.MB,
            option == 0 ? Map.of() : Map.of("aggregationTasks", Integer.toString(option)));
    assertThat(tasks(PASS.apply(dag, context))).isEqualTo(tasks);
  }

  @Test
  void aMultiplierGivesMorePartitionsToShareOut() {
    IRDag dag =
        relayed()
            .apply(new SetVertexProperty("count", new Parallelism(2)))
            .apply(new SetEdgeProperty("e2-relay", new Partitioner.Hash(3)));
    assertThat(tasks(PASS.apply(dag, PassContext.of(100, Plans.MB, Map.of())))).isEqualTo(6);
  }

  @Test
  void keepsWhatIsSet() {
    IRDag given =
        relayed()
            .apply(new SetVertexProperty("relay", new Parallelism(9)))
            .apply(new SetEdgeProperty("e2", DataStore.PERSISTENT_MEMORY))
            .apply(new SetEdgeProperty("e2-relay", DataFlow.PUSH));
    IRDag after = PASS.apply(given, Plans.CONTEXT);
    assertThat(tasks(after)).isEqualTo(9);
    assertThat(after.edge("e2").property(DataFlow.class)).contains(DataFlow.PUSH);
    assertThat(after.edge("e2").property(DataStore.class)).contains(DataStore.PERSISTENT_MEMORY);
    assertThat(after.edge("e2-relay").property(DataFlow.class)).contains(DataFlow.PUSH);
  }

  @Test
  void whatIsPushedIsDiscardedOnlyOnDemandOrWhereItWouldBeTakenAway() {
    PassContext discarding = PassContext.of(8, Plans.MB, Map.of("discardPushed", "true"));
    IRDag onTransient =
        relayed()
            .apply(new SetVertexProperty(relayed().edge("e2").from(), ResourcePriority.TRANSIENT));
    assertThat(persistence(PASS.apply(relayed(), Plans.CONTEXT))).isEmpty();
    assertThat(persistence(PASS.apply(relayed(), discarding))).contains(DataPersistence.DISCARD);
    assertThat(persistence(PASS.apply(onTransient, Plans.CONTEXT)))
        .contains(DataPersistence.DISCARD);
  }

  private static Optional<DataPersistence> persistence(IRDag dag) {
    return dag.edge("e2").property(DataPersistence.class);
  }

  @Test
  void aShuffleThatWasToldToPullIsNeitherHeldInMemoryNorDiscarded() {
    IRDag after =
        PASS.apply(relayed().apply(new SetEdgeProperty("e2", DataFlow.PULL)), Plans.CONTEXT);
    assertThat(after.edge("e2").property(DataStore.class)).isEmpty();
    assertThat(after.edge("e2").property(DataPersistence.class)).isEmpty();
  }

  @Test
  void aProducerThatCannotRunBesideARelayOfAnotherPassIsPulledFrom() {
    IRDag dag =
        Plans.joinWithOwnTotals().apply(new InsertRelay(List.of("e2", "e3"), "relay", "test"));
    IRDag after =
        Plans.lastStep(dag, Plans.CONTEXT, PASS, new DataFlowPass(), new ScheduleGroupPass())
            .after();
    assertThat(after.edge("e2").property(DataFlow.class)).contains(DataFlow.PULL);
    assertThat(after.edge("e3").property(DataFlow.class)).contains(DataFlow.PUSH);
  }

  @Test
  void relaysThatMaterialiseOtherEdgesAreLeftAlone() {
    IRDag dag = Plans.wordCount().apply(new InsertRelay(List.of("e1"), "relay", "test"));
    assertThat(PASS.apply(dag, Plans.CONTEXT)).isSameAs(dag);
  }

  @Test
  void consumersPullEvenIfAPassPushesWhereverItCan() {
    IRDag after =
        Plans.lastStep(
                Plans.wordCount(),
                Plans.CONTEXT,
                new LargeShuffleReshapingPass(),
                PASS,
                new PushDataFlowPass())
            .after();
    assertThat(after.edge("e2").property(DataFlow.class)).contains(DataFlow.PUSH);
    assertThat(after.edge("e2-count-aggregation-0").property(DataFlow.class))
        .contains(DataFlow.PULL);
  }

  @Test
  void returnsTheSameGraphWhenNothingIsMissing() {
    IRDag done = PASS.apply(relayed(), Plans.CONTEXT);
    assertThat(PASS.apply(done, Plans.CONTEXT)).isSameAs(done);
  }

  private static IRDag relayed() {
    return Plans.wordCount().apply(new InsertRelay(List.of("e2"), "relay", "test"));
  }

  private static int tasks(IRDag dag) {
    return dag.vertex("relay").property(Parallelism.class).orElseThrow().tasks();
  }
}
