// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.testing;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.CombineSplit;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.ir.property.ScheduleGroup;
import dev.anemone.ir.property.SplitAssignment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Parts of graphs, and small graphs made of them. */
public final class SampleDags {

  public static final FunctionSpec LINE = spec("coder:line");
  public static final FunctionSpec WORD = spec("coder:word");
  public static final FunctionSpec COUNT = spec("coder:count");
  public static final FunctionSpec KEY_OF_WORD = spec("key:word");
  public static final FunctionSpec KEY_BYTES = spec("coder:key");

  /** Word count's aggregation. */
  public static final CombineSplit COUNTING =
      new CombineSplit(
          spec("count:whole"), spec("count:partial"), spec("count:merging"), WORD, COUNT);

  private SampleDags() {}

  /** A function whose payload is its name. */
  public static FunctionSpec spec(String name) {
    return FunctionSpec.of("test:" + name, name.getBytes(StandardCharsets.UTF_8));
  }

  /** A source with parts of one megabyte each. */
  public static SourceVertex source(String id, int parts) {
    return SourceVertex.of(
        id,
        "Read " + id,
        spec("read:" + id),
        IntStream.range(0, parts)
            .mapToObj(part -> new SourcePart(spec("part:" + part), 1_000_000, List.of("host")))
            .toList());
  }

  public static OperatorVertex operator(String id) {
    return OperatorVertex.of(id, "Do " + id, spec("do:" + id));
  }

  /** An operator that runs the whole function of {@link #COUNTING}. */
  public static OperatorVertex counting(String id) {
    return OperatorVertex.of(id, "Count", COUNTING.whole()).withCombine(COUNTING);
  }

  public static IREdge oneToOne(String id, String from, String to) {
    return IREdge.of(id, from, to, CommunicationPattern.ONE_TO_ONE, LINE);
  }

  public static IREdge broadcast(String id, String from, String to) {
    return IREdge.of(id, from, to, CommunicationPattern.BROADCAST, LINE)
        .withDestination(to, "side");
  }

  /** A shuffle of words by word. */
  public static IREdge shuffle(String id, String from, String to) {
    return IREdge.of(id, from, to, CommunicationPattern.SHUFFLE, WORD)
        .with(new KeyExtractor(KEY_OF_WORD))
        .with(new KeyEncoder(KEY_BYTES))
        .with(Order.BY_KEY);
  }

  /**
   * Word count as a front end makes it.
   *
   * <pre>
   * read --lines ONE_TO_ONE--> split --words SHUFFLE--> count --counts ONE_TO_ONE--> write
   * </pre>
   */
  public static IRDag wordCount() {
    return IRDag.builder()
        .add(source("read", 3))
        .add(operator("split").withTraits(Set.of(OperatorTrait.PURE, OperatorTrait.PUSHABLE)))
        .add(counting("count"))
        .add(operator("write"))
        .add(oneToOne("lines", "read", "split"))
        .add(shuffle("words", "split", "count"))
        .add(oneToOne("counts", "count", "write").withElementCoder(COUNT))
        .build();
  }

  /** Word count with all that is needed to run it: two tasks before the shuffle, four after. */
  public static IRDag annotatedWordCount() {
    IRDag dag = wordCount();
    IRDag.Builder builder = dag.toBuilder();
    dag.vertices()
        .forEach(
            vertex -> {
              boolean first = Set.of("read", "split").contains(vertex.id());
              builder.replace(
                  vertex.withProperties(
                      vertex
                          .properties()
                          .with(new Parallelism(first ? 2 : 4))
                          .with(new ScheduleGroup(first ? 0 : 1))));
            });
    builder.replace(
        source("read", 3)
            .withProperties(
                builder
                    .build()
                    .vertex("read")
                    .properties()
                    .with(new SplitAssignment(List.of(List.of(0, 2), List.of(1))))));
    dag.edges()
        .forEach(
            edge ->
                builder.replace(
                    edge.with(new Encoder(edge.elementCoder()))
                        .with(new Decoder(edge.elementCoder()))));
    builder.replace(
        builder
            .build()
            .edge("words")
            .with(DataFlow.PULL)
            .with(DataStore.LOCAL_FILE)
            .with(new Partitioner.Hash(2))
            .with(PartitionSet.even(4, 2)));
    return builder.build();
  }

  /** Two shuffles into one aggregation, with a side input. */
  public static IRDag twoShuffles() {
    return IRDag.builder()
        .add(source("a", 2))
        .add(source("b", 3))
        .add(source("c", 1))
        .add(counting("count"))
        .add(shuffle("fromA", "a", "count"))
        .add(shuffle("fromB", "b", "count"))
        .add(broadcast("side", "c", "count"))
        .build();
  }
}
