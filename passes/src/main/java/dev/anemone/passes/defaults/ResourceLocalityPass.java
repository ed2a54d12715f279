// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.Property;
import dev.anemone.ir.property.ResourceLocality;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.graph.Annotator;
import dev.anemone.passes.graph.OneToOneGroups;
import java.util.Optional;
import java.util.Set;

/**
 * Runs tasks near the data that they read, wherever nothing else was decided.
 *
 * <pre>
 * before:  lines --ONE_TO_ONE--> words
 *
 * after:   lines  NEAR_DATA
 *          words  NEAR_DATA
 * </pre>
 *
 * <p>A vertex that one-to-one edges join with one that has a locality already gets the same, so
 * that the two can run in one task.
 */
public final class ResourceLocalityPass implements AnnotatingPass {

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(ResourceLocality.class);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    OneToOneGroups groups = OneToOneGroups.of(dag);
    return Annotator.vertices(
        dag,
        ResourceLocality.class,
        vertex ->
            Optional.of(
                groups.value(vertex, ResourceLocality.class).orElse(ResourceLocality.NEAR_DATA)));
  }
}
