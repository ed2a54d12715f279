// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.dag;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.SpillStore;
import dev.anemone.runtime.stage.Sampling;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Stores that a cluster does not have. A block has to outlive the container that wrote it, and to
 * be served to other nodes by YARN's shuffle handler, which knows files: so what is to be kept in a
 * container's memory, or in persistent memory, is kept in local files. Data that is pushed is in
 * memory on its way, and inside a stage it is nowhere.
 */
public final class StoreLowering {

  /** What is lowered to local files on YARN. */
  public static final Set<DataStore> LOWERED =
      Set.copyOf(EnumSet.of(DataStore.MEMORY, DataStore.PERSISTENT_MEMORY));

  private StoreLowering() {}

  /** A sentence for each edge whose data is kept elsewhere than the plan says. */
  public static List<String> notes(IRDag dag) {
    List<String> notes = new ArrayList<>();
    for (IREdge edge : Sampling.originals(dag).edges()) {
      if (isBetweenStages(dag, edge) && pulls(edge)) {
        edge.property(DataStore.class)
            .filter(LOWERED::contains)
            .ifPresent(store -> notes.add(note(edge, "the blocks of", store)));
      }
      edge.property(SpillStore.class)
          .map(SpillStore::store)
          .filter(LOWERED::contains)
          .ifPresent(store -> notes.add(note(edge, "the spills of", store)));
    }
    return List.copyOf(notes);
  }

  private static boolean pulls(IREdge edge) {
    return edge.property(DataFlow.class).orElse(DataFlow.PULL) == DataFlow.PULL;
  }

  private static boolean isBetweenStages(IRDag dag, IREdge edge) {
    return edge.pattern() != CommunicationPattern.ONE_TO_ONE
        || dag.vertex(edge.from()) instanceof RelayVertex;
  }

  private static String note(IREdge edge, String what, DataStore store) {
    return "on YARN "
        + what
        + " edge "
        + edge.id()
        + " from "
        + edge.from()
        + " to "
        + edge.to()
        + " are kept in LOCAL_FILE, not in "
        + store
        + ": a container's memory ends with it, and other nodes are served files";
  }
}
