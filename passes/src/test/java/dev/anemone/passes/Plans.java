// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.CombineSplit;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Programs that tests apply passes to, and parts to build others from. */
public final class Plans {

  public static final long MB = 1L << 20;

  /** Two slots, 512 MB for a task, no options. */
  public static final PassContext CONTEXT = PassContext.of(2, 512 * MB, Map.of());

  private Plans() {}

  /** A word count of eight parts with 20 MB each: lines, words, count, write. */
  public static IRDag wordCount() {
    return wordCount(20 * MB, 8);
  }

  /** A word count of so many parts of so many bytes. */
  public static IRDag wordCount(long partBytes, int parts) {
    return IRDag.builder()
        .add(source("lines", partBytes, parts))
        .add(operator("words"))
        .add(operator("count").withCombine(split("count")))
        .add(operator("write"))
        .add(oneToOne("e1", "lines", "words"))
        .add(groupByKey("e2", "words", "count"))
        .add(oneToOne("e3", "count", "write"))
        .build();
  }

  /** Words are counted with the help of a list of stop words that is made of the same lines. */
  public static IRDag withSideInputOfSameData() {
    return IRDag.builder()
        .add(source("lines", 20 * MB, 8))
        .add(operator("words"))
        .add(operator("stopWords"))
        .add(operator("filter"))
        .add(operator("count"))
        .add(oneToOne("e1", "lines", "words"))
        .add(oneToOne("e2", "words", "stopWords"))
        .add(oneToOne("e3", "words", "filter"))
        .add(sideInput("e4", "stopWords", "filter"))
        .add(groupByKey("e5", "filter", "count"))
        .build();
  }

  /** A join of two sources, which can be read at the same time: orders, lines, join, write. */
  public static IRDag join() {
    return IRDag.builder()
        .add(source("orders", 20 * MB, 8))
        .add(source("lines", 40 * MB, 16))
        .add(operator("join"))
        .add(operator("write"))
        .add(groupByKey("e1", "orders", "join"))
        .add(groupByKey("e2", "lines", "join"))
        .add(oneToOne("e3", "join", "write"))
        .build();
  }

  /** A join of a source with totals of itself, which wait for it: lines, totals, join. */
  public static IRDag joinWithOwnTotals() {
    return IRDag.builder()
        .add(source("lines", 40 * MB, 16))
        .add(operator("totals"))
        .add(operator("join"))
        .add(groupByKey("e1", "lines", "totals"))
        .add(groupByKey("e2", "lines", "join"))
        .add(groupByKey("e3", "totals", "join"))
        .build();
  }

  /** Totals that are joined, task by task, with totals of what other tasks made of them. */
  public static IRDag joinWithLaterTotals() {
    return IRDag.builder()
        .add(source("lines", 40 * MB, 16))
        .add(operator("totals"))
        .add(operator("later"))
        .add(operator("join"))
        .add(groupByKey("e1", "lines", "totals"))
        .add(groupByKey("e2", "totals", "later"))
        .add(oneToOne("e3", "totals", "join"))
        .add(groupByKey("e4", "later", "join").withDestination("join", "later"))
        .build();
  }

  /** A source of equal parts. */
  public static SourceVertex source(String id, long partBytes, int parts) {
    return SourceVertex.of(
        id,
        id,
        FunctionSpec.of("test:" + id),
        IntStream.range(0, parts)
            .mapToObj(i -> new SourcePart(FunctionSpec.of("test:part-" + i), partBytes, List.of()))
            .toList());
  }

  /** A source of parts of these sizes. */
  public static SourceVertex sourceOf(String id, long... partBytes) {
    return SourceVertex.of(
        id,
        id,
        FunctionSpec.of("test:" + id),
        IntStream.range(0, partBytes.length)
            .mapToObj(
                i -> new SourcePart(FunctionSpec.of("test:part-" + i), partBytes[i], List.of()))
            .toList());
  }

  public static OperatorVertex operator(String id) {
    return OperatorVertex.of(id, id, FunctionSpec.of("test:" + id));
  }

  /** A pure operator whose function has another name than the vertex. */
  public static OperatorVertex pure(String id, String function) {
    return OperatorVertex.of(id, id, FunctionSpec.of("test:" + function))
        .withTraits(Set.of(OperatorTrait.PURE));
  }

  /** A split of the function that {@link #operator} gives the vertex of that id. */
  public static CombineSplit split(String id) {
    return new CombineSplit(
        FunctionSpec.of("test:" + id),
        FunctionSpec.of("test:" + id + "-partial"),
        FunctionSpec.of("test:" + id + "-merging"),
        FunctionSpec.of("test:coder"),
        FunctionSpec.of("test:accumulator-coder"));
  }

  public static IREdge oneToOne(String id, String from, String to) {
    return edge(id, from, to, CommunicationPattern.ONE_TO_ONE);
  }

  /** A broadcast into a side input. */
  public static IREdge sideInput(String id, String from, String to) {
    return edge(id, from, to, CommunicationPattern.BROADCAST).withDestination(to, "side");
  }

  /** A shuffle that groups. */
  public static IREdge groupByKey(String id, String from, String to) {
    return edge(id, from, to, CommunicationPattern.SHUFFLE)
        .with(new KeyExtractor(FunctionSpec.of("test:key")))
        .with(new KeyEncoder(FunctionSpec.of("test:key-coder")))
        .with(Order.BY_KEY);
  }

  /** A shuffle that only spreads the load. */
  public static IREdge reshuffle(String id, String from, String to) {
    return edge(id, from, to, CommunicationPattern.SHUFFLE).with(Order.NONE);
  }

  private static IREdge edge(String id, String from, String to, CommunicationPattern pattern) {
    return IREdge.of(id, from, to, pattern, FunctionSpec.of("test:coder"));
  }

  /** Runs passes with all checks and returns what the last of them did. */
  public static OptimizationStep lastStep(
      IRDag dag, PassContext context, CompileTimePass... passes) {
    OptimizationTrace trace =
        PassRunner.standard().run("test", List.of(passes), List.of(), dag, context);
    return trace.steps().get(trace.steps().size() - 1);
  }
}
