// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import org.junit.jupiter.api.Test;

class DataFlowPassTest {

  private static final PassContext CONTEXT = Plans.CONTEXT;

  @Test
  void planBeforeAndAfter() {
    OptimizationStep step = Plans.lastStep(Plans.wordCount(), CONTEXT, new DataFlowPass());
    GoldenPlan.assertMatches("DataFlowPass", step);
  }

  @Test
  void returnsTheSameGraphWhenNothingIsMissing() {
    IRDag done = Plans.lastStep(Plans.wordCount(), CONTEXT, new DataFlowPass()).after();
    assertThat(new DataFlowPass().apply(done, CONTEXT)).isSameAs(done);
  }

  @Test
  void keepsWhatIsSet() {
    IRDag given = Plans.wordCount().apply(new SetEdgeProperty("e2", DataFlow.PUSH));
    IRDag after = Plans.lastStep(given, CONTEXT, new DataFlowPass()).after();
    assertThat(after.edge("e2").property(DataFlow.class)).contains(DataFlow.PUSH);
  }
}
