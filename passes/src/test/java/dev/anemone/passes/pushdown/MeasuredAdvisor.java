// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.pushdown;

import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PushdownAdvisor;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Knows the source {@code measured}, and advises to push all its operators but the last. */
public final class MeasuredAdvisor implements PushdownAdvisor {

  @Override
  public boolean knows(SourceVertex source) {
    return source.id().equals("measured");
  }

  @Override
  public Map<String, PushdownCosts> costs(List<Candidate> candidates, PassContext context) {
    return candidates.stream()
        .collect(
            Collectors.toMap(
                candidate -> candidate.source().id(), candidate -> costs(candidate, context)));
  }

  private static PushdownCosts costs(Candidate candidate, PassContext context) {
    return new PushdownCosts(
        new PushdownCosts.Splits(candidate.source().parts().size(), 64e6, 1),
        candidate.operators().stream()
            .map(operator -> new PushdownCosts.Operator(operator.name(), 0.25, 2e-8, 1e-8))
            .toList(),
        new PushdownCosts.Storage(2, 4, 8, 0.02),
        new PushdownCosts.Compute(context.slots(), context.slots(), 0.01),
        125e6);
  }

  @Override
  public Advice advise(PushdownCosts costs) {
    return new Advice(costs.operators().size() - 1, "measured", List.of("one", "two"));
  }
}
