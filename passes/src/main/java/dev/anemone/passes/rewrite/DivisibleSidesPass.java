// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.Property;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.graph.KnownSizes;
import dev.anemone.passes.skew.KeyedConsumer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Says which sides of a join in columns may be divided, so that a partition of it that turns out to
 * be too large for one task can be given to several: each joins a share of that side with all of
 * the others.
 *
 * <pre>
 * before:  x0 = hash(o_key)   --e1 SHUFFLE--> join (query on each partition)
 *          x1 = hash(n_order) --e2 SHUFFLE--> join
 *
 * after:   x0 = hash(o_key)   --e1 SHUFFLE DIVISIBLE--> join       (a left outer join)
 *          x1 = hash(n_order) --e2 SHUFFLE--> join
 * </pre>
 *
 * <p>Of an inner join that is either side, of an outer, semi or anti join the one whose rows it
 * keeps, of a full one none; and none below a whole aggregate, an order or a window, which need all
 * rows of a key. Left alone is a join in whose tasks other shuffles are read by key, too.
 *
 * <p>For joins of rows the front end says so. It comes after all that changes queries, and before
 * relays, which it could not look behind, and {@link dev.anemone.passes.skew.SkewSamplingPass}.
 */
public final class DivisibleSidesPass implements AnnotatingPass {

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(Divisibility.class);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    KnownSizes sizes = KnownSizes.of(dag);
    IRDag result = dag;
    for (KeyedConsumer consumer : KeyedConsumer.all(dag)) {
      IRVertex vertex = dag.vertex(consumer.shuffles().get(0).to());
      Optional<JoinedSides> joined = JoinedSides.of(dag, vertex, sizes);
      if (joined.isPresent() && dag.incoming(vertex.id()).containsAll(consumer.shuffles())) {
        for (IREdge edge : joined.get().divisible(dag)) {
          result = result.apply(new SetEdgeProperty(edge.id(), Divisibility.DIVISIBLE));
        }
      }
    }
    return result;
  }

  @Override
  public List<String> notes(IRDag dag, PassContext context) {
    IRDag marked = apply(dag, context);
    return dag.edges().stream()
        .map(edge -> marked.edge(edge.id()))
        .filter(edge -> !edge.equals(dag.edge(edge.id())))
        .map(
            edge ->
                "shuffle " + edge.id() + " brings a side of " + edge.to() + " that may be divided")
        .toList();
  }
}
