// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.testing;

import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.RunTimePass;
import dev.anemone.runtime.engine.Job;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Builds annotated graphs of {@link TestFunctions}. */
public final class TestDags {

  private final IRDag.Builder builder = IRDag.builder();
  private int edges;

  /** A source with one task per part. */
  public TestDags source(String id, String... parts) {
    builder.add(
        SourceVertex.of(
                id,
                id,
                FunctionSpec.of(TestFunctions.LINES),
                Arrays.stream(parts)
                    .map(
                        part ->
                            new SourcePart(
                                TestFunctions.spec(TestFunctions.LINES, part),
                                part.length(),
                                List.of()))
                    .toList())
            .withProperties(ExecutionProperties.of(new Parallelism(parts.length))));
    return this;
  }

  public TestDags operator(String id, String urn, int parallelism) {
    return operator(id, FunctionSpec.of(urn), parallelism);
  }

  public TestDags operator(String id, FunctionSpec spec, int parallelism) {
    builder.add(
        OperatorVertex.of(id, id, spec)
            .withProperties(ExecutionProperties.of(new Parallelism(parallelism))));
    return this;
  }

  public TestDags oneToOne(String from, String to) {
    return edge(edgeOf(from, to, CommunicationPattern.ONE_TO_ONE));
  }

  public TestDags broadcast(String from, String to, String input) {
    return edge(edgeOf(from, to, CommunicationPattern.BROADCAST).withDestination(to, input));
  }

  public TestDags spread(String from, String to) {
    return edge(
        edgeOf(from, to, CommunicationPattern.SHUFFLE)
            .with(Order.NONE)
            .with(new Partitioner.Spread()));
  }

  public TestDags grouped(String from, String to, int consumerTasks) {
    return edge(groupedEdge(from, to, consumerTasks));
  }

  /** A source of numbers with one task per part, see {@link TestFunctions#NUMBERS}. */
  public TestDags numbers(String id, int tasks, int perTask, int keys) {
    List<SourcePart> parts = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      String numbers = task * perTask + ":" + (task + 1) * perTask + ":" + keys;
      parts.add(
          new SourcePart(TestFunctions.spec(TestFunctions.NUMBERS, numbers), perTask, List.of()));
    }
    builder.add(
        SourceVertex.of(id, id, FunctionSpec.of(TestFunctions.NUMBERS), parts)
            .withProperties(ExecutionProperties.of(new Parallelism(tasks))));
    return this;
  }

  /** A relay of so many tasks, which aggregates what producers push. */
  public TestDags aggregation(String id, int tasks) {
    builder.add(new RelayVertex(id, id, "test", ExecutionProperties.of(new Parallelism(tasks))));
    return this;
  }

  /** A pushed shuffle into an aggregation, for so many tasks behind it. */
  public TestDags pushed(
      String from, String aggregation, String port, int aggregationTasks, int consumerTasks) {
    List<List<HashRange>> perTask = new ArrayList<>();
    for (int task = 0; task < aggregationTasks; task++) {
      int first = consumerTasks * task / aggregationTasks;
      int next = consumerTasks * (task + 1) / aggregationTasks;
      perTask.add(first == next ? List.of() : List.of(new HashRange(first, next)));
    }
    return edge(
        groupedEdge(from, aggregation, consumerTasks)
            .withDestination(aggregation, port)
            .with(new PartitionSet(perTask))
            .with(DataFlow.PUSH));
  }

  /** The shuffle from an aggregation to its consumer. */
  public TestDags aggregated(String aggregation, String port, String to, int consumerTasks) {
    return edge(groupedEdge(aggregation, to, consumerTasks).withSource(aggregation, port));
  }

  private IREdge groupedEdge(String from, String to, int consumerTasks) {
    return edgeOf(from, to, CommunicationPattern.SHUFFLE)
        .with(Order.BY_KEY)
        .with(new KeyExtractor(TestFunctions.STRING))
        .with(new KeyEncoder(TestFunctions.STRING))
        .with(new Partitioner.Hash(1))
        .with(PartitionSet.even(consumerTasks, 1));
  }

  private IREdge edgeOf(String from, String to, CommunicationPattern pattern) {
    return IREdge.of("e" + edges++, from, to, pattern, TestFunctions.STRING)
        .with(new Encoder(TestFunctions.STRING))
        .with(new Decoder(TestFunctions.STRING));
  }

  public TestDags vertex(IRVertex vertex) {
    builder.add(vertex);
    return this;
  }

  public TestDags edge(IREdge edge) {
    builder.add(edge);
    return this;
  }

  public IRDag build() {
    return builder.build();
  }

  /** A job of a graph without run-time passes. */
  public static Job job(IRDag dag) {
    return job(dag, List.of());
  }

  /** A job of a graph. */
  public static Job job(IRDag dag, List<RunTimePass<?>> runTimePasses) {
    return new Job(
        "test",
        dag,
        runTimePasses,
        PassContext.of(2, 1 << 20, Map.of()),
        new byte[0],
        TestDags.class.getClassLoader());
  }
}
