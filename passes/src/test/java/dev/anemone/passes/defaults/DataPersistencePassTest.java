// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.property.DataPersistence;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import org.junit.jupiter.api.Test;

class DataPersistencePassTest {

  private static final PassContext CONTEXT = Plans.CONTEXT;

  @Test
  void planBeforeAndAfter() {
    OptimizationStep step = Plans.lastStep(Plans.wordCount(), CONTEXT, new DataPersistencePass());
    GoldenPlan.assertMatches("DataPersistencePass", step);
  }

  @Test
  void returnsTheSameGraphWhenNothingIsMissing() {
    IRDag done = Plans.lastStep(Plans.wordCount(), CONTEXT, new DataPersistencePass()).after();
    assertThat(new DataPersistencePass().apply(done, CONTEXT)).isSameAs(done);
  }

  @Test
  void keepsWhatIsSet() {
    IRDag given = Plans.wordCount().apply(new SetEdgeProperty("e2", DataPersistence.DISCARD));
    IRDag after = Plans.lastStep(given, CONTEXT, new DataPersistencePass()).after();
    assertThat(after.edge("e2").property(DataPersistence.class)).contains(DataPersistence.DISCARD);
  }
}
