// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.Property;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.defaults.ParallelismPass;
import dev.anemone.passes.graph.KnownSizes;
import dev.anemone.passes.skew.KeyedConsumer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Has the sides of a join in columns measured that {@link BuildSidePass} has left shuffled, since
 * it does not know that one is small, and says which of them may be divided in any way, so that
 * {@link MeasuredBuildSideRunTimePass} can decide.
 *
 * <pre>
 * before:  x0 = hash(o_key)   --e1 SHUFFLE--> join (8 tasks)
 *          x1 = hash(n_order) --e2 SHUFFLE--> join
 *
 * after:   x0 = hash(o_key)   --e1 SHUFFLE DIVISIBLE--> join (8 tasks, Measured)
 *          x1 = hash(n_order) --e2 SHUFFLE--> join                  (a left outer join)
 * </pre>
 *
 * <p>A side may be divided if the query gives the same on any pieces of it with all rows of the
 * others beside them ({@link dev.anemone.ir.relational.exchange.PartitionedQuery#onPieces}), one
 * vertex makes it, in tasks that make no other side, and no relay has mixed what several producers
 * wrote. Nothing waits for being measured that does not wait anyhow: tasks behind a shuffle start
 * when all before it have ended. Left alone is a stage that reads other shuffles by key, too, whose
 * shuffles cannot be measured, or whose ranges were decided.
 *
 * <p>It comes after the parallelism, after all that puts in vertices, and before partitions are
 * decided.
 */
public final class MeasuredBuildSidePass implements AnnotatingPass {

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(Divisibility.class, Divisibility.Measured.class);
  }

  @Override
  public Set<Class<? extends Property>> reads() {
    return Set.of(Parallelism.class);
  }

  @Override
  public Set<String> requires() {
    return Set.of(ParallelismPass.class.getName());
  }

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(BuildSidePass.BROADCAST_JOIN_BYTES);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    if (context.get(BuildSidePass.BROADCAST_JOIN_BYTES) == 0) {
      return dag;
    }
    KnownSizes sizes = KnownSizes.of(dag);
    IRDag result = dag;
    for (KeyedConsumer consumer : KeyedConsumer.all(dag)) {
      IRVertex vertex = dag.vertex(consumer.shuffles().get(0).to());
      Optional<JoinedSides> joined = JoinedSides.of(dag, vertex, sizes);
      if (joined.isEmpty()
          || vertex.property(Divisibility.Measured.class).isPresent()
          || !dag.incoming(vertex.id()).containsAll(consumer.shuffles())
          || !new KeyedConsumer.Obstacles(dag).of(consumer).isEmpty()) {
        continue;
      }
      List<IREdge> divisible = joined.get().divisible(dag);
      for (IREdge edge : divisible) {
        result = result.apply(new SetEdgeProperty(edge.id(), Divisibility.DIVISIBLE));
      }
      if (!divisible.isEmpty()) {
        result =
            result.apply(
                new SetVertexProperty(
                    vertex.id(), new Divisibility.Measured(vertex.id() + "-bytes")));
      }
    }
    return result;
  }
}
