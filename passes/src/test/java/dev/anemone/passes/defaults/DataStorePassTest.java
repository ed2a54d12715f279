// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.property.DataStore;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import org.junit.jupiter.api.Test;

class DataStorePassTest {

  private static final PassContext CONTEXT = Plans.CONTEXT;

  @Test
  void planBeforeAndAfter() {
    OptimizationStep step =
        Plans.lastStep(
            Plans.withSideInputOfSameData(),
            CONTEXT,
            new DataFlowPass(),
            new ScheduleGroupPass(),
            new DataStorePass());
    GoldenPlan.assertMatches("DataStorePass", step);
  }

  @Test
  void returnsTheSameGraphWhenNothingIsMissing() {
    IRDag done =
        Plans.lastStep(
                Plans.withSideInputOfSameData(),
                CONTEXT,
                new DataFlowPass(),
                new ScheduleGroupPass(),
                new DataStorePass())
            .after();
    assertThat(new DataStorePass().apply(done, CONTEXT)).isSameAs(done);
  }

  @Test
  void keepsWhatIsSet() {
    IRDag given =
        Plans.withSideInputOfSameData()
            .apply(new SetEdgeProperty("e5", DataStore.SHARED_FILE_SYSTEM));
    IRDag after =
        Plans.lastStep(
                given, CONTEXT, new DataFlowPass(), new ScheduleGroupPass(), new DataStorePass())
            .after();
    assertThat(after.edge("e5").property(DataStore.class)).contains(DataStore.SHARED_FILE_SYSTEM);
  }
}
