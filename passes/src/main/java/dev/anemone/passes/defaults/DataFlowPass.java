// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.Property;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.graph.Annotator;
import java.util.Optional;
import java.util.Set;

/**
 * Lets consumers pull, wherever nothing else was decided.
 *
 * <pre>
 * before:  words --SHUFFLE--> count
 * after:   words --SHUFFLE PULL--> count
 * </pre>
 *
 * <p>On an edge inside a stage, where elements are handed over by a direct call, the value is
 * without effect.
 */
public final class DataFlowPass implements AnnotatingPass {

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(DataFlow.class);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    return Annotator.edges(dag, DataFlow.class, edge -> Optional.of(DataFlow.PULL));
  }
}
