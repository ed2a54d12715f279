// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.memory;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.Property;
import dev.anemone.ir.property.SpillStore;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.defaults.DataFlowPass;
import dev.anemone.passes.graph.InputEstimates;
import dev.anemone.passes.graph.SharedData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps what is shuffled, broadcast and spilled in a pool of remote memory, as far as the pool has
 * room: first what is read most often, of that the smallest, and last the spills. Persistent memory
 * can take the pool's place.
 *
 * <pre>
 * before:  links (1 GB) --SHUFFLE--> ranks-1        words (8 GB) --SHUFFLE--> count
 *          links --SHUFFLE--> ranks-2
 *
 * after:   links --SHUFFLE REMOTE_MEMORY--> ranks-1         with intermediateStoreBytes=2GB
 *          links --SHUFFLE REMOTE_MEMORY--> ranks-2
 *          words --SHUFFLE--> count
 * </pre>
 *
 * <p>Sizes are those of the sources ({@code InputEstimates}); data of unknown size comes after data
 * of known size and counts nothing. When the pool turns out to be full, what finds no room there
 * goes to local files, so that an estimate that is too small does no harm. Edges that push are left
 * alone: their data is in memory already. After DMO (Chen et al., disaggregated persistent memory
 * for Spark), which keeps shuffle, spill and persisted data in the pool.
 */
public final class DisaggregatedMemoryPass implements AnnotatingPass {

  public static final PassOption<DataStore> STORE =
      PassOption.choice(
          "intermediateStore",
          DataStore.REMOTE_MEMORY,
          "where the policy Disaggregation keeps data between stages");

  public static final PassOption<Long> STORE_BYTES =
      PassOption.bytes(
          "intermediateStoreBytes",
          Long.MAX_VALUE,
          "how much of the intermediateStore a job may be given; default: what is free");

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(DataStore.class, SpillStore.class);
  }

  @Override
  public Set<Class<? extends Property>> reads() {
    return Set.of(DataFlow.class);
  }

  @Override
  public Set<String> requires() {
    return Set.of(DataFlowPass.class.getName());
  }

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(STORE, STORE_BYTES);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    InputEstimates estimates = InputEstimates.of(dag);
    DataStore store = context.get(STORE);
    List<List<IREdge>> chosen = new ArrayList<>();
    long room = context.get(STORE_BYTES);
    for (List<IREdge> readers : byWorth(dag, estimates)) {
      long bytes = bytes(readers, estimates);
      if (bytes <= room) {
        room -= bytes;
        chosen.add(readers);
      }
    }
    IRDag result = dag;
    for (List<IREdge> readers : chosen) {
      for (IREdge edge : readers) {
        result = result.apply(new SetEdgeProperty(edge.id(), store));
      }
    }
    for (List<IREdge> readers : chosen) {
      long bytes = bytes(readers, estimates);
      if (bytes <= room) {
        room -= bytes;
        for (IREdge edge : readers) {
          if (edge.property(SpillStore.class).isEmpty()) {
            result = result.apply(new SetEdgeProperty(edge.id(), new SpillStore(store)));
          }
        }
      }
    }
    return result;
  }

  /** The edges that may use the pool, by the data that they bring, the worthiest data first. */
  private static List<List<IREdge>> byWorth(IRDag dag, InputEstimates estimates) {
    Map<SharedData, List<IREdge>> results = new LinkedHashMap<>();
    for (IREdge edge : dag.edges()) {
      if (mayUsePool(edge)) {
        results.computeIfAbsent(SharedData.of(edge), key -> new ArrayList<>()).add(edge);
      }
    }
    List<List<IREdge>> sorted = new ArrayList<>(results.values());
    sorted.sort(
        Comparator.<List<IREdge>, Boolean>comparing(
                readers -> estimates.output(readers.get(0).from()).unknownParts() > 0)
            .thenComparing(readers -> -readers.size())
            .thenComparing(readers -> bytes(readers, estimates)));
    return sorted;
  }

  private static boolean mayUsePool(IREdge edge) {
    return edge.property(DataStore.class).isEmpty()
        && edge.property(DataFlow.class).equals(Optional.of(DataFlow.PULL))
        && edge.pattern() != CommunicationPattern.ONE_TO_ONE;
  }

  private static long bytes(List<IREdge> readers, InputEstimates estimates) {
    return estimates.output(readers.get(0).from()).bytes();
  }
}
