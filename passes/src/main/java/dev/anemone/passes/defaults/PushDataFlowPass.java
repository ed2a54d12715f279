// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.Property;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.graph.Annotator;
import dev.anemone.passes.graph.Coscheduling;
import java.util.Optional;
import java.util.Set;

/**
 * Lets producers push over shuffles, so that consumers run beside them and receive data as it is
 * made. Producer and consumer then are in one schedule group.
 *
 * <pre>
 * before:  words --SHUFFLE--> count --SHUFFLE--> top
 * after:   words --SHUFFLE PUSH--> count --SHUFFLE PUSH--> top
 * </pre>
 *
 * <p>Where a consumer also waits for its producer over another way, such as a broadcast side input
 * made of the same data, the two cannot run together, and the shuffle is left to be pulled:
 *
 * <pre>
 * words --SHUFFLE--> count, words --ONE_TO_ONE--> view --BROADCAST--> count     nothing is set
 * </pre>
 */
public final class PushDataFlowPass implements AnnotatingPass {

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(DataFlow.class);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    Set<String> pushable =
        Coscheduling.pushable(dag, edge -> edge.pattern() == CommunicationPattern.SHUFFLE);
    return Annotator.edges(
        dag,
        DataFlow.class,
        edge -> pushable.contains(edge.id()) ? Optional.of(DataFlow.PUSH) : Optional.empty());
  }
}
