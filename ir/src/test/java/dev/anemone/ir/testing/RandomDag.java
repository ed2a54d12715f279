// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.testing;

import static dev.anemone.ir.testing.SampleDags.counting;
import static dev.anemone.ir.testing.SampleDags.operator;
import static dev.anemone.ir.testing.SampleDags.source;
import static dev.anemone.ir.testing.SampleDags.spec;

import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.AntiAffinity;
import dev.anemone.ir.property.ClonedScheduling;
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
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.NativeMemory;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ir.property.ResourceLocality;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.ir.property.ResourceSite;
import dev.anemone.ir.property.ResourceSlot;
import dev.anemone.ir.property.ScheduleGroup;
import dev.anemone.ir.property.SplitAssignment;
import dev.anemone.ir.property.VertexProperty;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
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
      boolean joins = !counts && random.nextInt(3) == 0;
      for (int inputs = 1 + random.nextInt(3); inputs > 0; inputs--) {
        CommunicationPattern pattern =
            counts ? CommunicationPattern.SHUFFLE : oneOf(List.of(CommunicationPattern.values()));
        IREdge edge = randomEdge("e" + edges++, "v" + random.nextInt(v), id, pattern);
        boolean divisible = joins && edge.property(KeyExtractor.class).isPresent();
        builder.add(divisible ? edge.with(Divisibility.DIVISIBLE) : counts ? byKey(edge) : edge);
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
        : byKey(edge).with(oneOf(List.of(Order.values())));
  }

  private static IREdge byKey(IREdge edge) {
    return edge.with(new KeyExtractor(spec("key")))
        .with(new KeyEncoder(spec("coder:key")))
        .with(Order.BY_KEY);
  }

  /** The graph with random decisions about its execution, without breaking a rule. */
  IRDag annotated(IRDag dag) {
    Map<String, Integer> tasks = randomParallelism(dag);
    Map<String, Integer> groups = randomGroups(dag);
    RandomPartitions partitions = new RandomPartitions(random);
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
        annotated = partitions.partitioned(annotated, tasks.get(edge.to()));
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
      properties.add(new ResourceSite(Map.of("host", tasks)));
      properties.add(new NativeMemory(1 + random.nextInt(1 << 30)));
      properties.add(
          new PushdownCosts(
              new PushdownCosts.Splits(tasks, random.nextInt(1_000_000), 1),
              List.of(new PushdownCosts.Operator("Filter", 0.5, 1e-8, 1e-8)),
              new PushdownCosts.Storage(1, 2, 2, 0.02),
              new PushdownCosts.Compute(4, 8, 0.01),
              125e6));
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
}
