// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.ShuffleAliases;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.ir.property.Property;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.graph.Annotator;
import dev.anemone.passes.graph.RelayChain;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Partitions the shuffles that {@link SkewSamplingReshapingPass} measures more finely than their
 * consumer has tasks, so that there is something to give from one task to another.
 *
 * <pre>
 * before:  words --SHUFFLE--> count (16 tasks)
 * after:   words --SHUFFLE Hash(32)--> count           512 partitions
 * </pre>
 *
 * <p>There are {@link #KEY_RANGE_MULTIPLIER} partitions for each task. When it is not given, it is
 * 8; more where a shuffle would have less than 512 in all, so that a partition has little of the
 * data even where there are few tasks; and less, but 2 at least, where it would have more than
 * 2,048: each producer says of each partition where it lies, and each consumer reads that.
 */
public final class SkewSamplingAnnotatingPass implements AnnotatingPass {

  public static final PassOption<Integer> KEY_RANGE_MULTIPLIER =
      PassOption.wholeNumber(
          "keyRangeMultiplier",
          0,
          0,
          "partitions per consumer task of a shuffle that is sampled; 0 for 8, or more where that"
              + " makes less than 512 in all, or less, but 2 at least, where it makes more than"
              + " 2048");

  private static final int LEAST_PARTITIONS = 512;
  private static final int MANY_PARTITIONS = 2_048;
  private static final int PER_TASK = 8;
  private static final int LEAST_PER_TASK = 2;

  /** An index of so many partitions takes 400 MB of a block, beyond which nothing is won. */
  private static final int MOST_PARTITIONS = 1 << 24;

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(Partitioner.class);
  }

  @Override
  public Set<String> requires() {
    return Set.of(SkewSamplingReshapingPass.class.getName());
  }

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(KEY_RANGE_MULTIPLIER);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    String inserter = new SkewSamplingReshapingPass().name();
    Map<String, Partitioner> partitioners = new HashMap<>();
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof MetricCollectionVertex collection
          && collection.pass().equals(inserter)) {
        List<IREdge> chain = RelayChain.from(dag, dag.edge(collection.measured()));
        IREdge last = chain.get(chain.size() - 1);
        Partitioner partitioner = partitioner(dag, last, context);
        chain.forEach(edge -> partitioners.put(edge.id(), partitioner));
        ShuffleAliases.aliasOf(dag, last)
            .ifPresent(
                alias -> {
                  partitioners.put(alias.id(), partitioner);
                  dag.outgoing(alias.to()).forEach(e -> partitioners.put(e.id(), partitioner));
                });
      }
    }
    return Annotator.edges(
        dag, Partitioner.class, edge -> Optional.ofNullable(partitioners.get(edge.id())));
  }

  private static Partitioner partitioner(IRDag dag, IREdge shuffle, PassContext context) {
    int tasks = KeyedConsumer.tasks(dag.vertex(shuffle.to()));
    int given = context.get(KEY_RANGE_MULTIPLIER);
    int multiplier = given > 0 ? given : partitionsPerTask(tasks);
    if ((long) multiplier * tasks > MOST_PARTITIONS) {
      throw new IllegalArgumentException(
          "shuffle "
              + shuffle.id()
              + " into "
              + tasks
              + " tasks would have "
              + (long) multiplier * tasks
              + " partitions with keyRangeMultiplier "
              + multiplier
              + "; there can be "
              + MOST_PARTITIONS
              + " at most");
    }
    return new Partitioner.Hash(multiplier);
  }

  private static int partitionsPerTask(int tasks) {
    int few = (LEAST_PARTITIONS + tasks - 1) / tasks;
    int many = Math.max(LEAST_PER_TASK, MANY_PARTITIONS / tasks);
    return Math.max(few, Math.min(PER_TASK, many));
  }
}
