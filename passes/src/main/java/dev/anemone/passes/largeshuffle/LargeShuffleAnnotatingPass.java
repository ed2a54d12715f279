// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.largeshuffle;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataPersistence;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.ir.property.Property;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.graph.Annotator;
import dev.anemone.passes.graph.Coscheduling;
import dev.anemone.passes.graph.RelayChain;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Lets producers push through memory into the relays that aggregate shuffles, and consumers pull
 * what the relays wrote. A relay gets {@link #AGGREGATION_TASKS}, by default one for four slots:
 * its tasks run beside the producers, so that their number follows the slots and not the consumer's
 * tasks, of which one aggregation task may serve many.
 *
 * <pre>
 * before:  words --SHUFFLE--> count-aggregation-0 --SHUFFLE--> count (16 tasks)
 *
 * after:   words --SHUFFLE PUSH MEMORY--> count-aggregation-0                  with 8 slots
 *          count-aggregation-0 (2 tasks) --SHUFFLE PULL--> count
 * </pre>
 *
 * <p>On a cluster, producers keep what they have pushed, as the passes that annotate by default say
 * for all edges, so that they need not run again when a relay's task is lost with its node. With
 * {@link #DISCARD_PUSHED}, and where executors may be taken away, they do not.
 *
 * <p>The passes that annotate by default do the rest: raw bytes and no compression at the relay,
 * local files that are kept behind it, and its share of the consumer's partitions for each of its
 * tasks. They leave room for another pass that puts the relay's blocks into another store.
 *
 * <p>A relay that another pass put between two shuffles is treated alike. An edge into one whose
 * producers cannot all run beside it is left to be pulled.
 */
public final class LargeShuffleAnnotatingPass implements AnnotatingPass {

  public static final PassOption<Integer> AGGREGATION_TASKS =
      PassOption.wholeNumber(
          "aggregationTasks",
          1,
          1,
          "tasks of a relay that aggregates a shuffle, never more than the consumer has partitions;"
              + " default: a quarter of the slots");

  public static final PassOption<Boolean> DISCARD_PUSHED =
      PassOption.flag(
          "discardPushed",
          "do not let producers keep what they push, so that less is written on a cluster; they run"
              + " again when a task of a relay is lost");

  private static final int SLOTS_PER_TASK = 4;

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(Parallelism.class, DataFlow.class, DataStore.class, DataPersistence.class);
  }

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(AGGREGATION_TASKS, DISCARD_PUSHED);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    IRDag result =
        Annotator.vertices(
            dag,
            Parallelism.class,
            vertex ->
                RelayChain.aggregates(dag, vertex.id())
                    ? Optional.of(new Parallelism(tasks(dag, vertex.id(), context)))
                    : Optional.empty());
    Set<String> pushable =
        Coscheduling.pushable(dag, edge -> RelayChain.aggregates(dag, edge.to()));
    result = Annotator.edges(result, DataFlow.class, edge -> flow(dag, edge, pushable));
    result =
        Annotator.edges(
            result,
            DataStore.class,
            edge -> pushesIntoRelay(dag, edge) ? Optional.of(DataStore.MEMORY) : Optional.empty());
    boolean discards = context.get(DISCARD_PUSHED);
    return Annotator.edges(
        result,
        DataPersistence.class,
        edge ->
            pushesIntoRelay(dag, edge) && (discards || isTransient(dag, edge.from()))
                ? Optional.of(DataPersistence.DISCARD)
                : Optional.empty());
  }

  /** Whether its tasks run where they, and what they keep, may be taken away at any time. */
  private static boolean isTransient(IRDag dag, String vertex) {
    return dag.vertex(vertex)
        .property(ResourcePriority.class)
        .filter(ResourcePriority.TRANSIENT::equals)
        .isPresent();
  }

  private static Optional<DataFlow> flow(IRDag dag, IREdge edge, Set<String> pushable) {
    if (pushable.contains(edge.id())) {
      return Optional.of(DataFlow.PUSH);
    }
    // Said here, since a pass that pushes wherever it can would undo the aggregation.
    return RelayChain.aggregates(dag, edge.from()) ? Optional.of(DataFlow.PULL) : Optional.empty();
  }

  private static boolean pushesIntoRelay(IRDag dag, IREdge edge) {
    return Coscheduling.pushes(edge) && RelayChain.aggregates(dag, edge.to());
  }

  private static int tasks(IRDag dag, String relay, PassContext context) {
    int wanted =
        context.has(AGGREGATION_TASKS)
            ? context.get(AGGREGATION_TASKS)
            : Math.max(1, context.slots() / SLOTS_PER_TASK);
    OptionalInt partitions =
        dag.outgoing(relay).stream().flatMapToInt(edge -> partitions(dag, edge).stream()).max();
    return Math.min(wanted, partitions.orElse(Integer.MAX_VALUE));
  }

  /** The partitions of a shuffle, where the tasks of its consumer are known. */
  private static OptionalInt partitions(IRDag dag, IREdge edge) {
    int multiplier =
        edge.property(Partitioner.class)
            .filter(Partitioner.Hash.class::isInstance)
            .map(hash -> ((Partitioner.Hash) hash).keyRangeMultiplier())
            .orElse(1);
    return dag.vertex(edge.to())
        .property(Parallelism.class)
        .map(tasks -> OptionalInt.of(Math.multiplyExact(tasks.tasks(), multiplier)))
        .orElse(OptionalInt.empty());
  }
}
