// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.largeshuffle;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Reshaped;
import dev.anemone.passes.ReshapingPass;
import dev.anemone.passes.largeshuffle.ShuffleAggregation.Verdict;
import java.util.List;
import java.util.Set;

/**
 * Puts a relay that stays on every shuffle whose producers may be taken away. Its tasks run beside
 * the producers and take their data as it is made, so that what a container had finished is not
 * lost with it: the way in which Pado (Yang et al., EuroSys 2017) lets transient containers push to
 * reserved ones.
 *
 * <pre>
 * before:  words (TRANSIENT) --SHUFFLE--> count (RESERVED) --SHUFFLE--> top (RESERVED)
 *
 * after:   words (TRANSIENT) --SHUFFLE--> count-aggregation-0 (RESERVED) --SHUFFLE--> count (RESERVED)
 *          count (RESERVED) --SHUFFLE--> top (RESERVED)
 * </pre>
 *
 * <p>A producer that stays keeps its data in its local files. Broadcasts and one-to-one edges get
 * no relay, as only shuffles can be pushed: what is lost of them is made again, by the tasks that
 * had made it. Shuffles share relays, and are left alone, as {@link LargeShuffleReshapingPass}
 * says.
 */
public final class TransientResourceReshapingPass implements ReshapingPass {

  @Override
  public Set<String> requires() {
    return Set.of(TransientResourcePriorityPass.class.getName());
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    return reserved(dag, aggregated(dag).result());
  }

  private static IRDag reserved(IRDag dag, IRDag relayed) {
    IRDag result = relayed;
    for (IRVertex vertex : relayed.vertices()) {
      if (!dag.hasVertex(vertex.id())) {
        result = result.apply(new SetVertexProperty(vertex.id(), ResourcePriority.RESERVED));
      }
    }
    return result;
  }

  @Override
  public List<String> notes(IRDag dag, PassContext context) {
    return aggregated(dag).notes();
  }

  @Override
  public Reshaped reshape(IRDag dag, PassContext context) {
    ShuffleAggregation aggregated = aggregated(dag);
    return new Reshaped(reserved(dag, aggregated.result()), aggregated.notes());
  }

  private ShuffleAggregation aggregated(IRDag dag) {
    return ShuffleAggregation.of(dag, name(), edge -> verdict(dag, edge));
  }

  private static Verdict verdict(IRDag dag, IREdge edge) {
    return TransientResourcePriorityPass.has(dag, edge.from(), ResourcePriority.TRANSIENT)
        ? new Verdict(true, "containers of " + edge.from() + " may be taken away")
        : new Verdict(false, "containers of " + edge.from() + " are not transient");
  }
}
