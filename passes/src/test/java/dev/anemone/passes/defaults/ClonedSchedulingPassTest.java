// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.property.ClonedScheduling;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClonedSchedulingPassTest {

  private static final PassContext CONTEXT = Plans.CONTEXT.withOption("speculation", "true");

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches(
        "ClonedSchedulingPass",
        Plans.lastStep(Plans.wordCount(), CONTEXT, new ClonedSchedulingPass()));
  }

  @Test
  void relaysAreLeftOut() {
    IRDag dag = Plans.wordCount().apply(new InsertRelay(List.of("e2"), "relay", "test"));
    IRDag after = Plans.lastStep(dag, CONTEXT, new ClonedSchedulingPass()).after();
    assertThat(after.vertex("relay").property(ClonedScheduling.class)).isEmpty();
    assertThat(after.vertex("count").property(ClonedScheduling.class)).isPresent();
  }

  @Test
  void thresholdAndFractionAreOptions() {
    PassContext context =
        CONTEXT.withOption("speculationThreshold", "2.5").withOption("speculationFraction", "0.5");
    IRDag after = Plans.lastStep(Plans.wordCount(), context, new ClonedSchedulingPass()).after();
    assertThat(after.vertex("count").property(ClonedScheduling.class))
        .contains(new ClonedScheduling(2.5, 0.5));
  }

  @Test
  void returnsTheSameGraphUnlessAskedFor() {
    IRDag dag = Plans.wordCount();
    assertThat(new ClonedSchedulingPass().apply(dag, Plans.CONTEXT)).isSameAs(dag);
  }
}
