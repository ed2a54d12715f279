// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.DataPersistence;
import dev.anemone.ir.property.Property;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.graph.Annotator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps the data of every edge until the job ends, so that a consumer task that failed, or was lost
 * with its node, can be repeated without its producers. Where many shuffles lie one behind the
 * other, as in iterations, all that data would be too much, and what has been read is discarded.
 *
 * <pre>
 * before:  words --SHUFFLE--> count
 * after:   words --SHUFFLE KEEP--> count
 * </pre>
 */
public final class DataPersistencePass implements AnnotatingPass {

  public static final PassOption<Integer> KEPT_SHUFFLES =
      PassOption.wholeNumber(
          "keptShuffles",
          0,
          8,
          "how many shuffles may lie one behind the other in a plan that keeps its data until the"
              + " job ends; in one that has more, data is deleted when all have read it, and made"
              + " again when it is missed");

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(DataPersistence.class);
  }

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(KEPT_SHUFFLES);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    DataPersistence persistence =
        shufflesInARow(dag) > context.get(KEPT_SHUFFLES)
            ? DataPersistence.DISCARD
            : DataPersistence.KEEP;
    return Annotator.edges(dag, DataPersistence.class, edge -> Optional.of(persistence));
  }

  /** The most shuffles on any way through the graph; a relay makes no two of one. */
  private static int shufflesInARow(IRDag dag) {
    Map<String, Integer> before = new HashMap<>();
    int most = 0;
    for (IRVertex vertex : dag.vertices()) {
      int shuffles = 0;
      for (IREdge edge : dag.incoming(vertex.id())) {
        boolean shuffle = edge.pattern() == CommunicationPattern.SHUFFLE;
        int own = shuffle && !(vertex instanceof RelayVertex) ? 1 : 0;
        shuffles = Math.max(shuffles, before.get(edge.from()) + own);
      }
      before.put(vertex.id(), shuffles);
      most = Math.max(most, shuffles);
    }
    return most;
  }
}
