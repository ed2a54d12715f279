// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import org.junit.jupiter.api.Test;

class ResourcePriorityPassTest {

  private static final PassContext CONTEXT = Plans.CONTEXT;

  @Test
  void planBeforeAndAfter() {
    OptimizationStep step = Plans.lastStep(Plans.wordCount(), CONTEXT, new ResourcePriorityPass());
    GoldenPlan.assertMatches("ResourcePriorityPass", step);
  }

  @Test
  void returnsTheSameGraphWhenNothingIsMissing() {
    IRDag done = Plans.lastStep(Plans.wordCount(), CONTEXT, new ResourcePriorityPass()).after();
    assertThat(new ResourcePriorityPass().apply(done, CONTEXT)).isSameAs(done);
  }

  @Test
  void keepsWhatIsSet() {
    IRDag given =
        Plans.wordCount().apply(new SetVertexProperty("words", ResourcePriority.RESERVED));
    IRDag after = Plans.lastStep(given, CONTEXT, new ResourcePriorityPass()).after();
    assertThat(after.vertex("words").property(ResourcePriority.class))
        .contains(ResourcePriority.RESERVED);
  }
}
