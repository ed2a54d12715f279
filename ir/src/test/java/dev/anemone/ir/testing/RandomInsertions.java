// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.testing;

import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricAggregationVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.ShuffleAliases;
import dev.anemone.ir.edit.DagEdit;
import dev.anemone.ir.edit.InsertCombiner;
import dev.anemone.ir.edit.InsertRecombiner;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.ir.edit.SampledStage;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.ScheduleGroup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Finds insertions that fit a graph, by a source of random numbers. Not thread-safe. */
final class RandomInsertions {

  private final Random random;
  private final IRDag dag;

  RandomInsertions(Random random, IRDag dag) {
    this.random = random;
    this.dag = dag;
  }

  private <T> T oneOf(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  /** An insertion that fits the graph, if there is one of the kind that chance picks. */
  Optional<DagEdit> next() {
    return switch (random.nextInt(4)) {
      case 0 -> relay();
      case 1 -> combiner();
      case 2 -> recombiner().or(this::combiner);
      default -> sampling();
    };
  }

  private Optional<DagEdit> relay() {
    List<IREdge> candidates =
        dag.edges().stream()
            .filter(edge -> ordinary(edge.from()) && ordinary(edge.to()))
            .filter(edge -> cloneOf(edge.to()).isEmpty())
            .filter(edge -> !isRecombined(edge))
            .toList();
    if (candidates.isEmpty()) {
      return Optional.empty();
    }
    IREdge first = oneOf(candidates);
    List<String> ids = new ArrayList<>(List.of(first.id()));
    candidates.stream()
        .filter(edge -> edge.to().equals(first.to()) && edge.pattern() == first.pattern())
        .filter(edge -> !edge.equals(first) && random.nextBoolean())
        .forEach(edge -> ids.add(edge.id()));
    Collections.shuffle(ids, random);
    return Optional.of(new InsertRelay(ids, "relay" + dag.vertices().size(), "RandomRelay"));
  }

  private boolean isRecombined(IREdge edge) {
    return ShuffleAliases.isAlias(dag, edge)
        || ShuffleAliases.aliasOf(dag, edge).isPresent()
        || ShuffleAliases.isRecombiner(dag, edge.from());
  }

  private Optional<DagEdit> combiner() {
    List<String> candidates =
        dag.vertices().stream()
            .filter(v -> v instanceof OperatorVertex o && o.combine().isPresent() && !o.isMerging())
            .map(IRVertex::id)
            .filter(id -> cloneOf(id).isEmpty())
            .filter(id -> dag.incoming(id).stream().noneMatch(this::isMeasured))
            .toList();
    return candidates.isEmpty()
        ? Optional.empty()
        : Optional.of(new InsertCombiner(oneOf(candidates), "RandomCombiner"));
  }

  private Optional<DagEdit> recombiner() {
    List<String> candidates =
        dag.vertices().stream()
            .filter(v -> v instanceof OperatorVertex o && o.isMerging())
            .filter(v -> v.property(Parallelism.class).isPresent())
            .map(IRVertex::id)
            .filter(id -> cloneOf(id).isEmpty())
            .filter(id -> ShuffleAliases.recombinersOf(dag, id).isEmpty())
            .filter(
                id ->
                    dag.incoming(id).stream()
                        .filter(edge -> edge.input().equals(IREdge.MAIN))
                        .allMatch(RandomInsertions::isByKey))
            .toList();
    return candidates.isEmpty()
        ? Optional.empty()
        : Optional.of(new InsertRecombiner(oneOf(candidates), "RandomRecombiner"));
  }

  private static boolean isByKey(IREdge edge) {
    return edge.property(Order.class).equals(Optional.of(Order.BY_KEY));
  }

  /** Samples some of the stages that send to one consumer. */
  private Optional<DagEdit> sampling() {
    List<IREdge> candidates =
        dag.edges().stream()
            .filter(edge -> edge.pattern() == CommunicationPattern.SHUFFLE)
            .filter(edge -> canBeSampled(edge.from()))
            .filter(edge -> !isMeasured(edge) && !ShuffleAliases.isAlias(dag, edge))
            .filter(edge -> !(dag.vertex(edge.to()) instanceof SampledVertex))
            .toList();
    if (candidates.isEmpty()) {
      return Optional.empty();
    }
    IREdge first = oneOf(candidates);
    List<String> measured = new ArrayList<>();
    Map<String, Set<String>> stages = new LinkedHashMap<>();
    for (IREdge edge : candidates) {
      boolean more = edge.to().equals(first.to()) && random.nextBoolean();
      if (!edge.equals(first) && !more) {
        continue;
      }
      Set<String> stage = stageOf(edge.from());
      boolean known = stage.equals(stages.get(edge.from()));
      boolean apart = stages.values().stream().allMatch(s -> Collections.disjoint(s, stage));
      if (known || apart) {
        measured.add(edge.id());
        stages.put(edge.from(), stage);
      }
    }
    Set<String> read = readBy(stages.values());
    int last = stages.keySet().stream().mapToInt(this::latestGroup).max().orElseThrow();
    List<SampledStage> sampled = new ArrayList<>();
    stages.forEach(
        (producer, stage) ->
            sampled.add(
                new SampledStage(
                    stage,
                    sample(producer, stage),
                    random.nextInt(4) > 0
                        && group(producer) == last
                        && stage.stream().noneMatch(id -> leadsTo(id, read)))));
    return Optional.of(
        new InsertSampling(measured, sampled, "message" + dag.vertices().size(), "RandomSampling"));
  }

  /** A vertex with, sometimes, the one before it, and more where those are cloned already. */
  private Set<String> stageOf(String producer) {
    Set<String> stage = new TreeSet<>(Set.of(producer));
    List<IREdge> incoming = dag.incoming(producer);
    if (cloneOf(producer).isEmpty()
        && !incoming.isEmpty()
        && incoming.stream().allMatch(in -> in.pattern() == CommunicationPattern.ONE_TO_ONE)
        && incoming.stream().allMatch(in -> in.from().equals(incoming.get(0).from()))
        && canBeSampled(incoming.get(0).from())) {
      stage.add(incoming.get(0).from());
    }
    return stage;
  }

  private List<Integer> sample(String producer, Set<String> stage) {
    for (String id : stage) {
      Optional<SampledVertex> clone = cloneOf(id);
      if (clone.isPresent()) {
        return clone.get().sample();
      }
    }
    int tasks = dag.vertex(producer).property(Parallelism.class).map(Parallelism::tasks).orElse(3);
    List<Integer> sample =
        IntStream.range(0, tasks).filter(task -> random.nextBoolean()).boxed().toList();
    return sample.isEmpty() ? List.of(tasks - 1) : sample;
  }

  /** The latest group among a vertex and all that lead to it. */
  private int latestGroup(String id) {
    return dag.incoming(id).stream()
        .mapToInt(edge -> latestGroup(edge.from()))
        .reduce(group(id), Math::max);
  }

  private int group(String vertexId) {
    return dag.vertex(vertexId).property(ScheduleGroup.class).map(ScheduleGroup::group).orElse(0);
  }

  /** What the clones of stages read of originals. */
  private Set<String> readBy(Iterable<Set<String>> stages) {
    Set<String> read = new HashSet<>();
    for (Set<String> stage : stages) {
      for (String id : stage) {
        dag.incoming(id).stream()
            .map(IREdge::from)
            .filter(from -> !stage.contains(from))
            .forEach(read::add);
      }
    }
    return read;
  }

  /** Whether one of the others waits for a vertex, by data or by messages. */
  private boolean leadsTo(String id, Set<String> others) {
    Set<String> seen = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(id));
    while (!open.isEmpty()) {
      String next = open.remove();
      if (others.contains(next)) {
        return true;
      }
      if (seen.add(next)) {
        dag.outgoing(next).forEach(edge -> open.add(edge.to()));
        dag.controlDependencies().stream()
            .filter(dependency -> dependency.from().equals(next))
            .map(ControlDependency::to)
            .forEach(open::add);
      }
    }
    return false;
  }

  private boolean canBeSampled(String vertexId) {
    return ordinary(vertexId)
        && !(dag.vertex(vertexId) instanceof RelayVertex)
        && !ShuffleAliases.isRecombiner(dag, vertexId);
  }

  private boolean isMeasured(IREdge edge) {
    return dag.vertices().stream()
        .anyMatch(v -> v instanceof MetricCollectionVertex c && c.measured().equals(edge.id()));
  }

  /** Whether a vertex is none that a sampling put in. */
  private boolean ordinary(String vertexId) {
    IRVertex vertex = dag.vertex(vertexId);
    return !(vertex instanceof SampledVertex
        || vertex instanceof MetricCollectionVertex
        || vertex instanceof MetricAggregationVertex);
  }

  private Optional<SampledVertex> cloneOf(String vertexId) {
    return dag.vertices().stream()
        .filter(v -> v instanceof SampledVertex clone && clone.original().equals(vertexId))
        .map(SampledVertex.class::cast)
        .findFirst();
  }
}
