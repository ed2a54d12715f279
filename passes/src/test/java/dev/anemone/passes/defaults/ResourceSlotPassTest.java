// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.ResourceSlot;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import org.junit.jupiter.api.Test;

class ResourceSlotPassTest {

  private static final PassContext CONTEXT =
      Plans.CONTEXT.withOption("taskMemoryMb", "2048").withOption("taskCores", "1");

  @Test
  void planBeforeAndAfter() {
    OptimizationStep step = Plans.lastStep(Plans.wordCount(), CONTEXT, new ResourceSlotPass());
    GoldenPlan.assertMatches("ResourceSlotPass", step);
  }

  @Test
  void returnsTheSameGraphWhenNothingIsMissing() {
    IRDag done = Plans.lastStep(Plans.wordCount(), CONTEXT, new ResourceSlotPass()).after();
    assertThat(new ResourceSlotPass().apply(done, CONTEXT)).isSameAs(done);
  }

  @Test
  void keepsWhatIsSet() {
    IRDag given =
        Plans.wordCount().apply(new SetVertexProperty("words", new ResourceSlot(64, 2, 1)));
    IRDag after = Plans.lastStep(given, CONTEXT, new ResourceSlotPass()).after();
    assertThat(after.vertex("words").property(ResourceSlot.class))
        .contains(new ResourceSlot(64, 2, 1));
  }
}
