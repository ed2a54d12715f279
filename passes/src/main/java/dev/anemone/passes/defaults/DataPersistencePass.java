// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.DataPersistence;
import dev.anemone.ir.property.Property;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.graph.Annotator;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps the data of every edge until the job ends, so that a consumer task that failed can be
 * repeated without its producers.
 *
 * <pre>
 * before:  words --SHUFFLE--> count
 * after:   words --SHUFFLE KEEP--> count
 * </pre>
 */
public final class DataPersistencePass implements AnnotatingPass {

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(DataPersistence.class);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    return Annotator.edges(dag, DataPersistence.class, edge -> Optional.of(DataPersistence.KEEP));
  }
}
