package dev.anemone.ir.testing;

import static dev.anemone.ir.testing.SampleDags.counting;
import static dev.anemone.ir.testing.SampleDags.operator;
import static dev.anemone.ir.testing.SampleDags.source;
import static dev.anemone.ir.testing.SampleDags.spec;

import dev.anemone.ir.FunctionSpec;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricAggregationVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.OperatorTrait;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.edit.DagEdit;
import dev.anemone.ir.edit.InsertCombiner;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.ir.property.AntiAffinity;
import dev.anemone.ir.property.ClonedScheduling;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Compression;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataPersistence;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Decompression;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.ExecutionProperties;
import dev.anemone.ir.property.HashRange;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.ir.property.ResourceLocality;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.ir.property.ResourceSlot;
import dev.anemone.ir.property.ScheduleGroup;
import dev.anemone.ir.property.SplitAssignment;
import dev.anemone.ir.property.VertexProperty;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Makes random graphs from a source of random numbers. Not thread-safe. */
final class RandomDag {

  private final Random random;

  RandomDag(Random random) {
    this.random = random;
  }

  private <T> T oneOf(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  /** A graph without decisions about its execution. */
  IRDag frontEnd(int vertexCount) {
    IRDag.Builder builder = IRDag.builder();
    int edges = 0;
    for (int v = 0; v < vertexCount; v++) {
      String id = "v" + v;
      if (v == 0 || random.nextInt(5) == 0) {
        builder.add(source(id, 1 + random.nextInt(4)));
        continue;
      }
      boolean counts = random.nextInt(3) == 0;
      builder.add(counts ? counting(id) : randomOperator(id));
      for (int inputs = 1 + random.nextInt(3); inputs > 0; inputs--) {
        CommunicationPattern pattern =
            counts ? CommunicationPattern.SHUFFLE : oneOf(List.of(CommunicationPattern.values()));
        builder.add(randomEdge("e" + edges++, "v" + random.nextInt(v), id, pattern));
      }
      if (random.nextInt(4) == 0) {
        builder.add(
            randomEdge("e" + edges++, "v" + random.nextInt(v), id, CommunicationPattern.BROADCAST));
      }
    }
    return builder.build();
  }

  private OperatorVertex randomOperator(String id) {
    Set<OperatorTrait> traits = EnumSet.noneOf(OperatorTrait.class);
    for (OperatorTrait trait : OperatorTrait.values()) {
      if (random.nextBoolean()) {
        traits.add(trait);
      }
    }
    return operator(id).withTraits(traits);
  }

  private IREdge randomEdge(String id, String from, String to, CommunicationPattern pattern) {
    IREdge edge =
        IREdge.of(id, from, to, pattern, spec("coder:" + random.nextInt(3)))
            .withSource(from, oneOf(List.of(IREdge.MAIN, IREdge.MAIN, "errors")));
    if (pattern == CommunicationPattern.BROADCAST) {
      return edge.withDestination(to, "side-" + id);
    }
    if (pattern == CommunicationPattern.ONE_TO_ONE) {
      return edge;
    }
    return random.nextInt(4) == 0
        ? edge.with(Order.NONE)
        : edge.with(new KeyExtractor(spec("key")))
            .with(new KeyEncoder(spec("coder:key")))
            .with(oneOf(List.of(Order.values())));
  }

  /** The graph with random decisions about its execution, without breaking a rule. */
  IRDag annotated(IRDag dag) {
    Map<String, Integer> tasks = randomParallelism(dag);
    Map<String, Integer> groups = randomGroups(dag);
    IRDag.Builder builder = dag.toBuilder();
    for (IRVertex vertex : dag.vertices()) {
      ExecutionProperties<VertexProperty> properties =
          vertex
              .properties()
              .with(new Parallelism(tasks.get(vertex.id())))
              .with(new ScheduleGroup(groups.get(vertex.id())));
      for (VertexProperty property : randomPlacement(tasks.get(vertex.id()))) {
        properties = properties.with(property);
      }
      if (vertex instanceof SourceVertex source) {
        properties = properties.with(randomSplits(source, tasks.get(vertex.id())));
      }
      builder.replace(vertex.withProperties(properties));
    }
    for (IREdge edge : dag.edges()) {
      IREdge annotated = edge;
      for (EdgeProperty property : randomTransfer(edge.elementCoder())) {
        annotated = annotated.with(property);
      }
      if (edge.pattern() == CommunicationPattern.SHUFFLE) {
        annotated = randomlyPartitioned(annotated, tasks.get(edge.to()));
      }
      boolean together = groups.get(edge.from()).equals(groups.get(edge.to()));
      builder.replace(annotated.with(together ? DataFlow.PUSH : DataFlow.PULL));
    }
    return builder.build();
  }

  /** One number for all vertices that ONE_TO_ONE edges join. */
  private Map<String, Integer> randomParallelism(IRDag dag) {
    Map<String, Integer> tasks = new HashMap<>();
    for (IRVertex vertex : dag.vertices()) {
      if (!tasks.containsKey(vertex.id())) {
        spread(dag, vertex.id(), 1 + random.nextInt(4), tasks);
      }
    }
    return tasks;
  }

  private static void spread(IRDag dag, String id, int value, Map<String, Integer> tasks) {
    if (tasks.putIfAbsent(id, value) != null) {
      return;
    }
    for (IREdge edge : dag.incoming(id)) {
      if (edge.pattern() == CommunicationPattern.ONE_TO_ONE) {
        spread(dag, edge.from(), value, tasks);
      }
    }
    for (IREdge edge : dag.outgoing(id)) {
      if (edge.pattern() == CommunicationPattern.ONE_TO_ONE) {
        spread(dag, edge.to(), value, tasks);
      }
    }
  }

  private Map<String, Integer> randomGroups(IRDag dag) {
    Map<String, Integer> groups = new HashMap<>();
    for (IRVertex vertex : dag.vertices()) {
      int group = 0;
      for (IREdge edge : dag.incoming(vertex.id())) {
        boolean pull = edge.pattern() != CommunicationPattern.ONE_TO_ONE && random.nextInt(3) > 0;
        group = Math.max(group, groups.get(edge.from()) + (pull ? 1 : 0));
      }
      groups.put(vertex.id(), group);
    }
    return groups;
  }

  private List<VertexProperty> randomPlacement(int tasks) {
    List<VertexProperty> properties = new ArrayList<>();
    if (random.nextBoolean()) {
      properties.add(new ResourceSlot(random.nextInt(4096), random.nextInt(4), random.nextInt(3)));
      properties.add(oneOf(List.of(ResourcePriority.values())));
    }
    if (random.nextBoolean()) {
      properties.add(oneOf(List.of(ResourceLocality.values())));
      properties.add(new ClonedScheduling(random.nextDouble(), 1 - random.nextDouble()));
    }
    if (random.nextBoolean()) {
      properties.add(new AntiAffinity(Set.of(random.nextInt(tasks))));
    }
    return properties;
  }

  private SplitAssignment randomSplits(SourceVertex source, int tasks) {
    List<List<Integer>> perTask = new ArrayList<>();
    IntStream.range(0, tasks).forEach(task -> perTask.add(new ArrayList<>()));
    IntStream.range(0, source.parts().size()).forEach(part -> oneOf(perTask).add(part));
    return new SplitAssignment(perTask);
  }

  private List<EdgeProperty> randomTransfer(FunctionSpec coder) {
    List<EdgeProperty> properties = new ArrayList<>();
    properties.add(new Encoder(coder));
    properties.add(new Decoder(coder));
    properties.add(oneOf(List.of(DataStore.values())));
    properties.add(oneOf(List.of(DataPersistence.values())));
    if (random.nextBoolean()) {
      Compression compression = oneOf(List.of(Compression.values()));
      properties.add(compression);
      properties.add(Decompression.valueOf(compression.name()));
    }
    return properties;
  }

  private IREdge randomlyPartitioned(IREdge edge, int tasks) {
    if (edge.property(KeyExtractor.class).isEmpty()) {
      return edge.with(new Partitioner.Spread()).with(PartitionSet.even(tasks, 1));
    }
    int multiplier = 1 + random.nextInt(3);
    List<List<HashRange>> perTask = new ArrayList<>();
    IntStream.range(0, tasks).forEach(task -> perTask.add(new ArrayList<>()));
    for (int from = 0; from < tasks * multiplier; ) {
      int to = from + 1 + random.nextInt(tasks * multiplier - from);
      oneOf(perTask).add(new HashRange(from, to));
      from = to;
    }
    return edge.with(new Partitioner.Hash(multiplier)).with(new PartitionSet(perTask));
  }

  /** An insertion that fits the graph, if there is one of the kind that chance picks. */
  Optional<DagEdit> randomInsert(IRDag dag) {
    return switch (random.nextInt(3)) {
      case 0 -> randomRelay(dag);
      case 1 -> randomCombiner(dag);
      default -> randomSampling(dag);
    };
  }

  private Optional<DagEdit> randomRelay(IRDag dag) {
    List<IREdge> candidates =
        dag.edges().stream()
            .filter(edge -> ordinary(dag, edge.from()) && ordinary(dag, edge.to()))
            .filter(edge -> !isSampled(dag, edge.to()))
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

  private Optional<DagEdit> randomCombiner(IRDag dag) {
    List<String> candidates =
        dag.vertices().stream()
            .filter(v -> v instanceof OperatorVertex o && o.combine().isPresent() && !o.isMerging())
            .map(IRVertex::id)
            .filter(id -> !isSampled(dag, id))
            .toList();
    return candidates.isEmpty()
        ? Optional.empty()
        : Optional.of(new InsertCombiner(oneOf(candidates), "RandomCombiner"));
  }

  private Optional<DagEdit> randomSampling(IRDag dag) {
    List<IREdge> candidates =
        dag.edges().stream()
            .filter(edge -> edge.pattern() == CommunicationPattern.SHUFFLE)
            .filter(edge -> ordinary(dag, edge.from()) && !isSampled(dag, edge.from()))
            .toList();
    if (candidates.isEmpty()) {
      return Optional.empty();
    }
    IREdge edge = oneOf(candidates);
    Set<String> stage = new TreeSet<>(Set.of(edge.from()));
    List<IREdge> incoming = dag.incoming(edge.from());
    // With a second way into the stage, from its own first vertex, the stage would wait for itself.
    if (!incoming.isEmpty()
        && incoming.stream()
            .allMatch(
                in ->
                    in.pattern() == CommunicationPattern.ONE_TO_ONE
                        && in.from().equals(incoming.get(0).from()))
        && !isSampled(dag, incoming.get(0).from())) {
      stage.add(incoming.get(0).from());
    }
    int tasks =
        dag.vertex(edge.from()).property(Parallelism.class).map(Parallelism::tasks).orElse(3);
    List<Integer> sample =
        IntStream.range(0, tasks).filter(task -> random.nextBoolean()).boxed().toList();
    return Optional.of(
        InsertSampling.of(
            edge.id(),
            stage,
            sample.isEmpty() ? List.of(tasks - 1) : sample,
            "message" + dag.vertices().size(),
            "RandomSampling"));
  }

  /** Whether a vertex is none that a sampling put in. */
  private static boolean ordinary(IRDag dag, String vertexId) {
    IRVertex vertex = dag.vertex(vertexId);
    return !(vertex instanceof SampledVertex
        || vertex instanceof MetricCollectionVertex
        || vertex instanceof MetricAggregationVertex);
  }

  private static boolean isSampled(IRDag dag, String vertexId) {
    return dag.vertices().stream()
        .anyMatch(v -> v instanceof SampledVertex clone && clone.original().equals(vertexId));
  }
}
