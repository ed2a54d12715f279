// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.largeshuffle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.Plans;
import dev.anemone.passes.rewrite.CombinerLiftingPass;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransientResourcePriorityPassTest {

  private static final TransientResourcePriorityPass PASS = new TransientResourcePriorityPass();

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches(
        "TransientResourcePriorityPass",
        Plans.lastStep(Plans.wordCount(), Plans.CONTEXT, new CombinerLiftingPass(), PASS));
  }

  @Test
  void whatReadsTransientVerticesOnlyIsTransient() {
    IRDag after = applied(Plans.withSideInputOfSameData());
    for (String vertex : List.of("lines", "words", "stopWords", "filter")) {
      assertThat(priority(after, vertex)).as(vertex).isEqualTo(ResourcePriority.TRANSIENT);
    }
    assertThat(priority(after, "count")).isEqualTo(ResourcePriority.RESERVED);
  }

  @Test
  void aSideInputDoesNotMoveWhatReadsIt() {
    IRDag dag =
        Plans.wordCount().toBuilder()
            .add(Plans.source("names", 1, 1))
            .add(Plans.sideInput("e4", "names", "write"))
            .add(Plans.operator("report"))
            .add(Plans.sideInput("e5", "count", "report"))
            .build();
    IRDag after = applied(dag);
    assertThat(priority(after, "write")).isEqualTo(ResourcePriority.RESERVED);
    assertThat(priority(after, "report")).isEqualTo(ResourcePriority.TRANSIENT);
  }

  @Test
  void whatReadsFromBothKindsIsCheapToRepeat() {
    IRDag dag =
        Plans.wordCount().toBuilder()
            .add(Plans.source("extra", 1, 1))
            .add(Plans.oneToOne("e4", "extra", "write"))
            .build();
    assertThat(priority(applied(dag), "write")).isEqualTo(ResourcePriority.TRANSIENT);
  }

  @Test
  void aRelayThatAggregatesStays() {
    IRDag after = applied(Plans.wordCount().apply(new InsertRelay(List.of("e2"), "relay", "test")));
    assertThat(priority(after, "relay")).isEqualTo(ResourcePriority.RESERVED);
    assertThat(priority(after, "count")).isEqualTo(ResourcePriority.RESERVED);
  }

  @Test
  void keepsWhatIsSetAndFollowsIt() {
    IRDag given =
        Plans.wordCount()
            .apply(new SetVertexProperty("lines", ResourcePriority.RESERVED))
            .apply(new SetVertexProperty("count", ResourcePriority.NONE));
    IRDag after = applied(given);
    assertThat(priority(after, "lines")).isEqualTo(ResourcePriority.RESERVED);
    assertThat(priority(after, "words")).isEqualTo(ResourcePriority.RESERVED);
    assertThat(priority(after, "count")).isEqualTo(ResourcePriority.NONE);
    assertThat(priority(after, "write")).isEqualTo(ResourcePriority.TRANSIENT);
  }

  @Test
  void returnsTheSameGraphWhenNothingIsMissing() {
    IRDag done = applied(Plans.wordCount());
    assertThat(PASS.apply(done, Plans.CONTEXT)).isSameAs(done);
  }

  private static IRDag applied(IRDag dag) {
    return Plans.lastStep(dag, Plans.CONTEXT, PASS).after();
  }

  private static ResourcePriority priority(IRDag dag, String vertex) {
    return dag.vertex(vertex).property(ResourcePriority.class).orElseThrow();
  }
}
