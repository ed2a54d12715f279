package dev.anemone.passes.compiletime;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.Property;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import java.util.Set;
import java.util.function.Predicate;

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
    Coscheduling coscheduling = new Coscheduling(dag);
    Predicate<IREdge> given =
        edge -> edge.property(DataFlow.class).filter(flow -> flow == DataFlow.PUSH).isPresent();
    Predicate<IREdge> open =
        edge ->
            edge.pattern() == CommunicationPattern.SHUFFLE
                && edge.property(DataFlow.class).isEmpty();
    Predicate<IREdge> pushable = given.or(open);
    dag.edges().stream().filter(given).forEach(edge -> coscheduling.join(edge, pushable));
    IRDag result = dag;
    for (IREdge edge : dag.edges()) {
      if (open.test(edge) && coscheduling.join(edge, pushable)) {
        result = result.apply(new SetEdgeProperty(edge.id(), DataFlow.PUSH));
      }
    }
    return result;
  }
}
