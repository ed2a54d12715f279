// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.largeshuffle;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.Reshaped;
import dev.anemone.passes.ReshapingPass;
import dev.anemone.passes.defaults.ParallelismPass;
import dev.anemone.passes.graph.InputEstimates;
import dev.anemone.passes.graph.InputEstimates.Estimate;
import dev.anemone.passes.largeshuffle.ShuffleAggregation.Verdict;
import java.util.List;
import java.util.Set;

/**
 * Puts an aggregation relay on every shuffle that is large, as {@link LargeShuffleReshapingPass}
 * does on all: a small one has few blocks to read, and a relay would only cost time. Large is a
 * shuffle of at least {@link #LARGE_SHUFFLE_BYTES}, as far as the sizes of the sources upstream
 * tell, or of at least {@link #LARGE_SHUFFLE_BLOCKS} blocks, one for each producer and consumer
 * task.
 *
 * <pre>
 * before:  events (2 TB) --SHUFFLE--> join, users (5 MB) --SHUFFLE--> join
 *
 * after:   events --SHUFFLE--> join-aggregation-0 --SHUFFLE--> join
 *          users --SHUFFLE--> join
 * </pre>
 */
public final class ConditionalLargeShuffleReshapingPass implements ReshapingPass {

  public static final PassOption<Long> LARGE_SHUFFLE_BYTES =
      PassOption.bytes("largeShuffleBytes", 1L << 30, "bytes from which a shuffle is large");
  public static final PassOption<Integer> LARGE_SHUFFLE_BLOCKS =
      PassOption.wholeNumber(
          "largeShuffleBlocks",
          1,
          10_000,
          "producer tasks times consumer tasks from which a shuffle is large");

  @Override
  public Set<String> requires() {
    return Set.of(ParallelismPass.class.getName());
  }

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(LARGE_SHUFFLE_BYTES, LARGE_SHUFFLE_BLOCKS);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    return aggregated(dag, context).result();
  }

  @Override
  public List<String> notes(IRDag dag, PassContext context) {
    return aggregated(dag, context).notes();
  }

  @Override
  public Reshaped reshape(IRDag dag, PassContext context) {
    return aggregated(dag, context).reshaped();
  }

  private ShuffleAggregation aggregated(IRDag dag, PassContext context) {
    InputEstimates estimates = InputEstimates.of(dag);
    return ShuffleAggregation.of(
        dag, name(), edge -> verdict(dag, edge, estimates.output(edge.from()), context));
  }

  private static Verdict verdict(IRDag dag, IREdge edge, Estimate estimate, PassContext context) {
    long leastBytes = context.get(LARGE_SHUFFLE_BYTES);
    if (estimate.bytes() >= leastBytes) {
      return new Verdict(
          true, bytes(estimate.bytes()) + " reach " + bytes(leastBytes) + " (largeShuffleBytes)");
    }
    long producers = tasks(dag, edge.from());
    long consumers = tasks(dag, edge.to());
    long leastBlocks = context.get(LARGE_SHUFFLE_BLOCKS);
    String blocks = producers + " x " + consumers + " tasks make " + producers * consumers;
    if (producers * consumers >= leastBlocks) {
      return new Verdict(
          true, blocks + " blocks, which reach " + leastBlocks + " (largeShuffleBlocks)");
    }
    String size =
        estimate.bytes() == 0
            ? "its size is not known"
            : bytes(estimate.bytes()) + " are below " + bytes(leastBytes) + " (largeShuffleBytes)";
    return new Verdict(
        false,
        size + ", and " + blocks + " blocks, below " + leastBlocks + " (largeShuffleBlocks)");
  }

  private static int tasks(IRDag dag, String vertexId) {
    return dag.vertex(vertexId).property(Parallelism.class).orElseThrow().tasks();
  }

  /** In the units of the option, rounded down; sources print theirs in powers of ten. */
  private static String bytes(long bytes) {
    if (bytes >= 1L << 30) {
      return (bytes >> 30) + " GiB";
    }
    return bytes >= 1L << 20 ? (bytes >> 20) + " MiB" : bytes + " bytes";
  }
}
