// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.Property;
import dev.anemone.ir.property.ScheduleGroup;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.graph.Annotator;
import dev.anemone.passes.graph.Coscheduling;
import java.util.Optional;
import java.util.Set;

/**
 * Puts data between stages into local files, and keeps data inside a stage in memory.
 *
 * <pre>
 * before:  lines --ONE_TO_ONE--> words --SHUFFLE--> count
 * after:   lines --ONE_TO_ONE MEMORY--> words --SHUFFLE LOCAL_FILE--> count
 * </pre>
 *
 * <p>A shuffle that pushes gets a local file too: that is where the bytes go that the consumer
 * cannot take yet.
 */
public final class DataStorePass implements AnnotatingPass {

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(DataStore.class);
  }

  @Override
  public Set<Class<? extends Property>> reads() {
    return Set.of(DataFlow.class, ScheduleGroup.class);
  }

  @Override
  public Set<String> requires() {
    return Set.of(ScheduleGroupPass.class.getName());
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    Coscheduling stages = new Coscheduling(dag);
    return Annotator.edges(
        dag,
        DataStore.class,
        edge -> Optional.of(stages.areTogether(edge) ? DataStore.MEMORY : DataStore.LOCAL_FILE));
  }
}
