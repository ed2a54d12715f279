// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.largeshuffle;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricAggregationVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.ShuffleAliases;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Compression;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataPersistence;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Decompression;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.passes.Reshaped;
import dev.anemone.passes.graph.Coscheduling;
import dev.anemone.passes.graph.RelayChain;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Puts aggregation relays on shuffles. Shuffles into one vertex share a relay where they are
 * ordered and partitioned alike and their producers can run at the same time, since a relay runs
 * beside all of its producers; otherwise they have one each. Decides vertex by vertex in
 * topological order, so that equal graphs get equal relays.
 *
 * <p>Not thread-safe.
 */
final class ShuffleAggregation {

  /**
   * Whether a shuffle is to be aggregated.
   *
   * @param aggregates whether it is
   * @param reason why or why not; may be empty when it is
   */
  record Verdict(boolean aggregates, String reason) {}

  /** What somebody has decided about the way of an edge, so that it must not get a longer one. */
  private static final List<Class<? extends EdgeProperty>> DECISIONS =
      List.of(
          DataFlow.class,
          DataStore.class,
          DataPersistence.class,
          PartitionSet.class,
          Encoder.class,
          Decoder.class,
          Compression.class,
          Decompression.class);

  private final IRDag program;
  private final String pass;
  private final Function<IREdge, Verdict> verdict;
  private final List<String> notes = new ArrayList<>();

  /** Shuffles that were put on a relay so far. */
  private final List<String> aggregated = new ArrayList<>();

  private IRDag dag;

  private ShuffleAggregation(IRDag program, String pass, Function<IREdge, Verdict> verdict) {
    this.program = program;
    this.pass = pass;
    this.verdict = verdict;
    this.dag = program;
  }

  /**
   * Puts relays on the shuffles of a graph.
   *
   * @param pass the pass that inserts them
   * @param verdict for shuffles that nothing else speaks against
   */
  static ShuffleAggregation of(IRDag program, String pass, Function<IREdge, Verdict> verdict) {
    ShuffleAggregation aggregation = new ShuffleAggregation(program, pass, verdict);
    program.vertices().forEach(aggregation::aggregateInto);
    return aggregation;
  }

  /** The graph with its relays; the graph that was given when there is none to put in. */
  IRDag result() {
    return dag;
  }

  /** For each shuffle of the given graph which relay it goes through, or why through none. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  Reshaped reshaped() {
    return new Reshaped(dag, notes);
  }

  private void aggregateInto(IRVertex consumer) {
    List<List<IREdge>> batches = new ArrayList<>();
    for (IREdge edge : program.incoming(consumer.id())) {
      if (edge.pattern() != CommunicationPattern.SHUFFLE) {
        continue;
      }
      Verdict decision =
          obstacle(edge)
              .map(reason -> new Verdict(false, reason))
              .orElseGet(() -> verdict.apply(edge));
      if (decision.aggregates()) {
        String company = addTo(batches, edge, consumer);
        String reason = decision.reason().isEmpty() ? "" : ": " + decision.reason();
        notes.add(described(edge) + " is aggregated" + company + reason);
      } else {
        notes.add(described(edge) + " is not aggregated: " + decision.reason());
      }
    }
    dag = withRelays(consumer, batches);
    batches.forEach(batch -> batch.forEach(edge -> aggregated.add(edge.id())));
  }

  private static String described(IREdge edge) {
    return "shuffle " + edge.id() + " (" + edge.from() + " to " + edge.to() + ")";
  }

  /** What forbids a relay on a shuffle. */
  private Optional<String> obstacle(IREdge edge) {
    for (String end : List.of(edge.from(), edge.to())) {
      if (RelayChain.isRelay(program, end)) {
        return Optional.of("it touches relay " + end + " already");
      }
    }
    if (ShuffleAliases.isAlias(program, edge)
        || ShuffleAliases.aliasOf(program, edge).isPresent()
        || ShuffleAliases.isRecombiner(program, edge.from())) {
      return Optional.of("a recombiner shares its data with its consumer");
    }
    IRVertex consumer = program.vertex(edge.to());
    if (consumer instanceof SampledVertex
        || consumer instanceof MetricCollectionVertex
        || consumer instanceof MetricAggregationVertex) {
      return Optional.of("its consumer belongs to a sampling");
    }
    if (program.vertices().stream()
        .anyMatch(v -> v instanceof SampledVertex s && s.original().equals(consumer.id()))) {
      return Optional.of("its consumer is sampled, and must go on reading what the sample reads");
    }
    String decided =
        DECISIONS.stream()
            .filter(type -> edge.property(type).isPresent())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(", "));
    return decided.isEmpty() ? Optional.empty() : Optional.of("it was given " + decided);
  }

  /** Adds an edge to the first batch that can take it, or as a batch of its own; says which. */
  private String addTo(List<List<IREdge>> batches, IREdge edge, IRVertex consumer) {
    List<List<IREdge>> alike = batches.stream().filter(b -> isAlike(b.get(0), edge)).toList();
    for (List<IREdge> batch : alike) {
      batch.add(edge);
      if (allPush(consumer, batches)) {
        return ", together with " + batch.get(0).id();
      }
      batch.remove(edge);
    }
    String apart = "";
    if (!alike.isEmpty()) {
      apart = ", by itself, since its producer cannot run beside those of " + ids(alike);
    } else if (!batches.isEmpty()) {
      apart =
          isDivisible(edge) || batches.stream().anyMatch(batch -> isDivisible(batch.get(0)))
              ? ", by itself, so that a hot key of one side of the join can be divided"
              : ", by itself, since it is ordered or partitioned unlike " + ids(batches);
    }
    batches.add(new ArrayList<>(List.of(edge)));
    return apart;
  }

  private static String ids(List<List<IREdge>> batches) {
    return batches.stream().flatMap(List::stream).map(IREdge::id).collect(Collectors.joining(", "));
  }

  /**
   * Whether two shuffles into one vertex can lie in one block, with one space of partitions. Sides
   * of a join that may be divided cannot: a block does not tell them apart.
   */
  private static boolean isAlike(IREdge one, IREdge other) {
    return !isDivisible(one)
        && !isDivisible(other)
        && one.property(Order.class)
            .orElse(Order.NONE)
            .equals(other.property(Order.class).orElse(Order.NONE))
        && Objects.equals(one.property(Partitioner.class), other.property(Partitioner.class));
  }

  private static boolean isDivisible(IREdge edge) {
    return edge.property(Divisibility.class).orElse(Divisibility.WHOLE) == Divisibility.DIVISIBLE;
  }

  private boolean allPush(IRVertex consumer, List<List<IREdge>> batches) {
    IRDag trial = withRelays(consumer, batches);
    Set<String> pushable =
        Coscheduling.pushable(trial, edge -> RelayChain.aggregates(trial, edge.to()));
    return pushable.containsAll(aggregated)
        && batches.stream().flatMap(List::stream).map(IREdge::id).allMatch(pushable::contains);
  }

  private IRDag withRelays(IRVertex consumer, List<List<IREdge>> batches) {
    IRDag result = dag;
    int number = 0;
    for (List<IREdge> batch : batches) {
      String relay = consumer.id() + "-aggregation-" + number;
      while (result.hasVertex(relay)) {
        number++;
        relay = consumer.id() + "-aggregation-" + number;
      }
      result = result.apply(new InsertRelay(batch.stream().map(IREdge::id).toList(), relay, pass));
    }
    return result;
  }
}
