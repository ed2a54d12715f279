// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.pushdown;

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
import dev.anemone.passes.PushdownAdvisor.Candidate;
import dev.anemone.passes.pushdown.StoragePushdownPass.Pushdown;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    List<Candidate> candidates = new ArrayList<>();
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof SourceVertex source) {
        List<OperatorVertex> pushable = PushableOperators.of(dag, source);
        if (!pushable.isEmpty()) {
          candidates.add(new Candidate(source, pushable));
        }
      }
    }
    Map<String, PushdownCosts> costs = costs(candidates, context);
    IRDag result = dag;
    for (Candidate candidate : candidates) {
      PushdownCosts known = costs.get(candidate.source().id());
      if (known != null) {
        result = result.apply(new SetVertexProperty(candidate.source().id(), known));
      }
    }
    return result;
  }

  private static Map<String, PushdownCosts> costs(List<Candidate> candidates, PassContext context) {
    Map<String, PushdownCosts> costs = new HashMap<>();
    List<Candidate> left = new ArrayList<>(candidates);
    for (PushdownAdvisor advisor : ServiceLoader.load(PushdownAdvisor.class)) {
      List<Candidate> known =
          left.stream().filter(candidate -> advisor.knows(candidate.source())).toList();
      if (!known.isEmpty()) {
        costs.putAll(advisor.costs(known, context));
        left.removeAll(known);
      }
    }
    return costs;
  }
}
