// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.Property;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.graph.Annotator;
import dev.anemone.passes.graph.OneToOneGroups;
import java.util.Optional;
import java.util.Set;

/**
 * Runs tasks in any container, wherever nothing else was decided.
 *
 * <pre>
 * before:  lines --ONE_TO_ONE--> words
 *
 * after:   lines  ResourcePriority NONE
 *          words  ResourcePriority NONE
 * </pre>
 *
 * <p>A vertex that one-to-one edges join with one that has a priority already gets the same, so
 * that the two can run in one task.
 */
public final class ResourcePriorityPass implements AnnotatingPass {

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(ResourcePriority.class);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    OneToOneGroups groups = OneToOneGroups.of(dag);
    return Annotator.vertices(
        dag,
        ResourcePriority.class,
        vertex ->
            Optional.of(
                groups.value(vertex, ResourcePriority.class).orElse(ResourcePriority.NONE)));
  }
}
