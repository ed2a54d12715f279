// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.Property;
import dev.anemone.ir.property.ResourceSlot;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.graph.Annotator;
import dev.anemone.passes.graph.OneToOneGroups;
import java.util.Optional;
import java.util.Set;

/**
 * Says what each task occupies: what the options ask for, or the engine's default.
 *
 * <pre>
 * before:  lines --ONE_TO_ONE--> words
 *
 * after:   lines  ResourceSlot[memoryMb=2048, cores=1, maxConcurrentTasks=0]     with taskMemoryMb=2048,
 *          words  ResourceSlot[memoryMb=2048, cores=1, maxConcurrentTasks=0]     taskCores=1
 * </pre>
 *
 * <p>A vertex that one-to-one edges join with one that has a slot already gets the same, so that
 * the two can run in one task.
 */
public final class ResourceSlotPass implements AnnotatingPass {

  public static final PassOption<Integer> TASK_MEMORY_MB =
      PassOption.wholeNumber(
          "taskMemoryMb", 0, 0, "memory of a task in megabytes, 0 for the engine's default");
  public static final PassOption<Integer> TASK_CORES =
      PassOption.wholeNumber(
          "taskCores", 0, 0, "virtual cores of a task, 0 for the engine's default");
  public static final PassOption<Integer> MAX_CONCURRENT_TASKS =
      PassOption.wholeNumber(
          "maxConcurrentTasks", 0, 0, "tasks of a vertex that may run at once, 0 for no limit");

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(ResourceSlot.class);
  }

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(TASK_MEMORY_MB, TASK_CORES, MAX_CONCURRENT_TASKS);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    OneToOneGroups groups = OneToOneGroups.of(dag);
    ResourceSlot slot =
        new ResourceSlot(
            context.get(TASK_MEMORY_MB),
            context.get(TASK_CORES),
            context.get(MAX_CONCURRENT_TASKS));
    return Annotator.vertices(
        dag,
        ResourceSlot.class,
        vertex -> Optional.of(groups.value(vertex, ResourceSlot.class).orElse(slot)));
  }
}
