// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.AntiAffinity;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import org.junit.jupiter.api.Test;

class AntiAffinityPassTest {

  private static final PassContext CONTEXT = Plans.CONTEXT.withOption("antiAffinity", "true");

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches(
        "AntiAffinityPass",
        Plans.lastStep(Plans.wordCount(), CONTEXT, new ParallelismPass(), new AntiAffinityPass()));
  }

  @Test
  void aStageOfOneTaskHasNothingToSpread() {
    IRDag dag =
        Plans.lastStep(
                Plans.wordCount(1, 1), CONTEXT, new ParallelismPass(), new AntiAffinityPass())
            .after();
    assertThat(dag.vertices())
        .allSatisfy(vertex -> assertThat(vertex.property(AntiAffinity.class)).isEmpty());
  }

  @Test
  void returnsTheSameGraphUnlessAskedFor() {
    IRDag dag = Plans.wordCount();
    assertThat(new AntiAffinityPass().apply(dag, Plans.CONTEXT)).isSameAs(dag);
  }
}
