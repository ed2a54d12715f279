// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.ir.property.Property;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.graph.Annotator;
import dev.anemone.passes.graph.RelayChain;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Partitions shuffles that group by the hash of the key; gives every consumer task an equal run of
 * hash partitions. Shuffles that only spread the load deal records out in turn where every attempt
 * of a producer task makes them in the same order, and else by their content; a note says where.
 *
 * <pre>
 * before:  words --SHUFFLE BY_KEY--> count (2 tasks) --SHUFFLE NONE--> write
 *
 * after:   words --SHUFFLE BY_KEY Hash(1) PartitionSet[[0, 1), [1, 2)]--> count
 *          count --SHUFFLE NONE Spread--> write
 * </pre>
 *
 * <p>Shuffles into one vertex meet there key by key, so a shuffle follows the others into its
 * consumer when they were partitioned before. A shuffle into a relay has the partitions of the
 * shuffle that leaves the relay, and each of the relay's tasks an equal run of them; both shuffles
 * say so, even those that only spread the load.
 */
public final class PartitionerPass implements AnnotatingPass {

  private static final Partitioner BY_CONTENT = new Partitioner.Spread();

  private static final Optional<Decoder> RAW_BYTES = Optional.of(new Decoder(Encoder.RAW_BYTES));

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(Partitioner.class, PartitionSet.class);
  }

  @Override
  public Set<Class<? extends Property>> reads() {
    return Set.of(Parallelism.class, Decoder.class);
  }

  @Override
  public Set<String> requires() {
    return Set.of(ParallelismPass.class.getName(), DecoderPass.class.getName());
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    IRDag partitioned =
        Annotator.edges(
            dag,
            Partitioner.class,
            edge ->
                isShuffle(edge)
                    ? Optional.of(partitioner(dag, lastShuffle(dag, ofOriginal(dag, edge))))
                    : Optional.empty());
    IRDag result = partitioned;
    for (IREdge edge : partitioned.edges()) {
      if (isShuffle(edge)
          && edge.property(PartitionSet.class).isEmpty()
          && (hash(edge).isPresent() || isRelayed(partitioned, edge))) {
        result =
            result.apply(
                new SetEdgeProperty(
                    edge.id(), partitionSet(partitioned, ofOriginal(partitioned, edge))));
      }
    }
    return result;
  }

  @Override
  public List<String> notes(IRDag dag, PassContext context) {
    return apply(dag, context).edges().stream()
        .filter(edge -> edge.property(Partitioner.class).equals(Optional.of(BY_CONTENT)))
        .filter(edge -> dag.edge(edge.id()).property(Partitioner.class).isEmpty())
        .filter(edge -> dag.vertex(edge.to()) instanceof OperatorVertex)
        .map(
            edge ->
                "shuffle "
                    + edge.id()
                    + " ("
                    + edge.from()
                    + " to "
                    + edge.to()
                    + ") divides records by their content, so equal ones go to one task: nobody"
                    + " says that they are made in the same order when a task runs again")
        .toList();
  }

  private static boolean isShuffle(IREdge edge) {
    return edge.pattern() == CommunicationPattern.SHUFFLE;
  }

  /** Whether a shuffle enters or leaves a relay that keeps its partitions. */
  private static boolean isRelayed(IRDag dag, IREdge edge) {
    boolean before = !lastShuffle(dag, edge).equals(edge);
    IREdge first = RelayChain.first(dag, edge);
    return before
        || (isShuffle(first) && !first.equals(edge) && lastShuffle(dag, first).equals(edge));
  }

  /**
   * The shuffle whose consumer needs the partitions that this one makes: the one behind the relays
   * that hand on raw bytes, and so cannot partition them anew.
   */
  private static IREdge lastShuffle(IRDag dag, IREdge edge) {
    IREdge last = edge;
    for (IREdge next : RelayChain.from(dag, edge)) {
      if (!isShuffle(next)) {
        break;
      }
      last = next;
      if (!next.property(Decoder.class).equals(RAW_BYTES)) {
        break;
      }
    }
    return last;
  }

  private static Optional<Partitioner.Hash> hash(IREdge edge) {
    return edge.property(Partitioner.class)
        .filter(Partitioner.Hash.class::isInstance)
        .map(Partitioner.Hash.class::cast);
  }

  private static boolean groups(IREdge edge) {
    return edge.property(Order.class).orElse(Order.NONE) == Order.BY_KEY;
  }

  private static Partitioner partitioner(IRDag dag, IREdge edge) {
    Optional<Partitioner> own = edge.property(Partitioner.class);
    if (own.isPresent()) {
      return own.get();
    }
    if (!groups(edge)) {
      return isInRepeatableOrder(dag, edge) ? new Partitioner.RoundRobin() : BY_CONTENT;
    }
    return dag.incoming(edge.to()).stream()
        .filter(PartitionerPass::groups)
        .flatMap(sibling -> hash(sibling).stream())
        .findFirst()
        .orElseGet(() -> new Partitioner.Hash(1));
  }

  /** A relay that makes records anew makes them in the order in which shuffles brought them. */
  private static boolean isInRepeatableOrder(IRDag dag, IREdge edge) {
    return dag.vertex(edge.to()) instanceof OperatorVertex consumer
        && consumer.traits().contains(OperatorTrait.READS_REPEATABLE_ORDER)
        && (!RelayChain.startsAtRelay(dag, edge)
            || dag.incoming(edge.from()).stream()
                .filter(PartitionerPass::isShuffle)
                .allMatch(in -> in.property(Decoder.class).equals(RAW_BYTES)));
  }

  private static PartitionSet partitionSet(IRDag dag, IREdge edge) {
    Optional<Partitioner.Hash> own = hash(edge);
    Optional<PartitionSet> ofSibling =
        dag.incoming(edge.to()).stream()
            .filter(sibling -> own.isPresent() && hash(sibling).equals(own))
            .flatMap(sibling -> sibling.property(PartitionSet.class).stream())
            .findFirst();
    return ofSibling.orElseGet(
        () -> even(tasks(dag, edge), partitions(dag, lastShuffle(dag, edge))));
  }

  /** A sample reads what its original does, so the original's edge decides for both. */
  private static IREdge ofOriginal(IRDag dag, IREdge edge) {
    if (!(dag.vertex(edge.to()) instanceof SampledVertex sampled)) {
      return edge;
    }
    return dag.incoming(sampled.original()).stream()
        .filter(other -> other.from().equals(edge.from()))
        .filter(other -> other.output().equals(edge.output()))
        .filter(other -> other.input().equals(edge.input()))
        .filter(other -> haveSame(other, edge, Order.class))
        .filter(other -> haveSame(other, edge, KeyExtractor.class))
        .filter(other -> haveSame(other, edge, KeyEncoder.class))
        .findFirst()
        .orElse(edge);
  }

  private static boolean haveSame(IREdge one, IREdge other, Class<? extends EdgeProperty> type) {
    return one.property(type).equals(other.property(type));
  }

  private static int tasks(IRDag dag, IREdge edge) {
    return dag.vertex(edge.to()).property(Parallelism.class).orElseThrow().tasks();
  }

  private static int partitions(IRDag dag, IREdge last) {
    int multiplier = hash(last).map(Partitioner.Hash::keyRangeMultiplier).orElse(1);
    return Math.multiplyExact(tasks(dag, last), multiplier);
  }

  /** Runs of neighbouring partitions, of equal length up to one. */
  private static PartitionSet even(int tasks, int partitions) {
    List<List<HashRange>> perTask = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      int from = (int) ((long) partitions * task / tasks);
      int to = (int) ((long) partitions * (task + 1) / tasks);
      perTask.add(from == to ? List.of() : List.of(new HashRange(from, to)));
    }
    return new PartitionSet(perTask);
  }
}
