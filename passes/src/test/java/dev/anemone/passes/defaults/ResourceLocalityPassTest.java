// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.ResourceLocality;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import org.junit.jupiter.api.Test;

class ResourceLocalityPassTest {

  private static final PassContext CONTEXT = Plans.CONTEXT;

  @Test
  void planBeforeAndAfter() {
    OptimizationStep step = Plans.lastStep(Plans.wordCount(), CONTEXT, new ResourceLocalityPass());
    GoldenPlan.assertMatches("ResourceLocalityPass", step);
  }

  @Test
  void returnsTheSameGraphWhenNothingIsMissing() {
    IRDag done = Plans.lastStep(Plans.wordCount(), CONTEXT, new ResourceLocalityPass()).after();
    assertThat(new ResourceLocalityPass().apply(done, CONTEXT)).isSameAs(done);
  }

  @Test
  void keepsWhatIsSet() {
    IRDag given =
        Plans.wordCount().apply(new SetVertexProperty("words", ResourceLocality.ANYWHERE));
    IRDag after = Plans.lastStep(given, CONTEXT, new ResourceLocalityPass()).after();
    assertThat(after.vertex("words").property(ResourceLocality.class))
        .contains(ResourceLocality.ANYWHERE);
  }
}
