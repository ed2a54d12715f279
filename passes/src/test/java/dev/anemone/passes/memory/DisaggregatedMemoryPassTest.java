// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.SpillStore;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import dev.anemone.passes.defaults.DataFlowPass;
import java.util.List;
import org.junit.jupiter.api.Test;

class DisaggregatedMemoryPassTest {

  /** Links of 160 MB are joined with ranks twice; 80 MB of pages are counted. */
  private static IRDag iterations() {
    return IRDag.builder()
        .add(Plans.source("links", 20 * Plans.MB, 8))
        .add(Plans.source("pages", 20 * Plans.MB, 4))
        .add(Plans.operator("ranks-1"))
        .add(Plans.operator("ranks-2"))
        .add(Plans.operator("count"))
        .add(Plans.groupByKey("e1", "links", "ranks-1"))
        .add(Plans.groupByKey("e2", "links", "ranks-2"))
        .add(Plans.groupByKey("e3", "ranks-1", "ranks-2"))
        .add(Plans.groupByKey("e4", "pages", "count"))
        .build();
  }

  private static PassContext pool(String bytes) {
    return Plans.CONTEXT.withOption("intermediateStoreBytes", bytes);
  }

  private static IRDag after(IRDag dag, PassContext context) {
    return Plans.lastStep(dag, context, new DataFlowPass(), new DisaggregatedMemoryPass()).after();
  }

  private static List<String> inPool(IRDag dag) {
    return dag.edges().stream()
        .filter(edge -> edge.property(DataStore.class).isPresent())
        .peek(edge -> assertThat(edge.property(DataStore.class)).contains(DataStore.REMOTE_MEMORY))
        .map(IREdge::id)
        .sorted()
        .toList();
  }

  private static List<String> spillsInPool(IRDag dag) {
    return dag.edges().stream()
        .filter(edge -> edge.property(SpillStore.class).isPresent())
        .map(IREdge::id)
        .sorted()
        .toList();
  }

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches(
        "DisaggregatedMemoryPass",
        Plans.lastStep(
            iterations(), pool("400MB"), new DataFlowPass(), new DisaggregatedMemoryPass()));
  }

  @Test
  void whatIsReadOftenComesFirstAndCountsOnce() {
    assertThat(inPool(after(iterations(), pool("160MB")))).containsExactly("e1", "e2");
    assertThat(inPool(after(iterations(), pool("240MB")))).containsExactly("e1", "e2", "e4");
  }

  @Test
  void whatIsTooLargeLeavesItsRoomToOthers() {
    assertThat(inPool(after(iterations(), pool("159MB")))).containsExactly("e4");
    assertThat(inPool(after(iterations(), pool("1MB")))).isEmpty();
  }

  @Test
  void spillsTakeWhatIsLeft() {
    assertThat(spillsInPool(after(iterations(), pool("400MB")))).isEmpty();
    assertThat(spillsInPool(after(iterations(), pool("480MB")))).containsExactly("e4");
    assertThat(spillsInPool(after(iterations(), Plans.CONTEXT)))
        .containsExactly("e1", "e2", "e3", "e4");
  }

  @Test
  void sizesThatNobodyKnowsComeLast() {
    IRDag dag =
        IRDag.builder()
            .add(Plans.source("unknown", 0, 8))
            .add(Plans.source("known", 20 * Plans.MB, 4))
            .add(Plans.operator("a"))
            .add(Plans.operator("b"))
            .add(Plans.groupByKey("e1", "unknown", "a"))
            .add(Plans.groupByKey("e2", "known", "b"))
            .build();
    assertThat(inPool(after(dag, Plans.CONTEXT))).containsExactly("e1", "e2");
    assertThat(inPool(after(dag, pool("80MB")))).containsExactly("e1", "e2");
    assertThat(inPool(after(dag, pool("79MB")))).containsExactly("e1");
  }

  @Test
  void whatPushesOrHasAStoreIsLeftAlone() {
    IRDag pushed =
        iterations()
            .apply(new SetEdgeProperty("e1", DataFlow.PUSH))
            .apply(new SetEdgeProperty("e4", DataStore.LOCAL_FILE));
    IRDag after = after(pushed, Plans.CONTEXT);
    assertThat(after.edge("e1").property(DataStore.class)).isEmpty();
    assertThat(after.edge("e4").property(DataStore.class)).contains(DataStore.LOCAL_FILE);
    assertThat(after.edge("e2").property(DataStore.class)).contains(DataStore.REMOTE_MEMORY);
  }

  @Test
  void persistentMemoryTakesThePlaceOfThePool() {
    IRDag after =
        after(iterations(), Plans.CONTEXT.withOption("intermediateStore", "persistent_memory"));
    assertThat(after.edge("e1").property(DataStore.class)).contains(DataStore.PERSISTENT_MEMORY);
    assertThat(after.edge("e1").property(SpillStore.class))
        .contains(new SpillStore(DataStore.PERSISTENT_MEMORY));
  }

  @Test
  void returnsTheSameGraphWhenThePoolHasNoRoom() {
    IRDag dag = Plans.lastStep(iterations(), Plans.CONTEXT, new DataFlowPass()).after();
    assertThat(new DisaggregatedMemoryPass().apply(dag, pool("1MB"))).isSameAs(dag);
  }
}
