package dev.anemone.passes.compiletime;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.Property;
import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.PushdownAdvisor;
import dev.anemone.passes.compiletime.StoragePushdownPass.Pushdown;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * Finds out what the operators behind a source cost on either side, for {@link StoragePushdownPass}
 * and for the readers, who decide about each split. Does nothing when the option {@code pushdown}
 * says which operators are cut, since then nothing is decided. The {@link PushdownAdvisor} of the
 * source may read data to find out.
 *
 * <pre>
 * before:  lineitem --> filter --> rows
 * after:   lineitem [PushdownCosts=(8 splits ...; Filter x0.3 ...)] --> filter --> rows
 * </pre>
 */
public final class PushdownCostPass implements AnnotatingPass {

  private final PassOption<Pushdown> option =
      PassOption.choice(
          StoragePushdownPass.OPTION, Pushdown.NEAR_DATA, StoragePushdownPass.MEANING);

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(option);
  }

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(PushdownCosts.class);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    if (context.get(option) != Pushdown.NEAR_DATA) {
      return dag;
    }
    IRDag result = dag;
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof SourceVertex source) {
        List<OperatorVertex> pushable = PushableOperators.of(dag, source);
        Optional<PushdownCosts> costs =
            pushable.isEmpty() ? Optional.empty() : costs(source, pushable, context);
        if (costs.isPresent()) {
          result = result.apply(new SetVertexProperty(source.id(), costs.get()));
        }
      }
    }
    return result;
  }

  private static Optional<PushdownCosts> costs(
      SourceVertex source, List<OperatorVertex> pushable, PassContext context) {
    for (PushdownAdvisor advisor : ServiceLoader.load(PushdownAdvisor.class)) {
      if (advisor.knows(source)) {
        return advisor.costs(source, pushable, context);
      }
    }
    return Optional.empty();
  }
}
