// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.BuildSideKeys;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.property.KeyFilters;
import dev.anemone.ir.property.KeyFilters.KeyFilter;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@link KeyFilters} leave out only rows of a source that no join behind it has a use for. */
public final class KeyFilterRule implements CheckRule {

  @Override
  public String name() {
    return "key-filter";
  }

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    if (dag.vertices().stream().allMatch(vertex -> filters(vertex).isEmpty())) {
      return violations.list();
    }
    Map<String, List<KeyFilter>> allowed = BuildSideKeys.of(dag);
    for (IRVertex vertex : dag.vertices()) {
      for (KeyFilter filter : filters(vertex).map(KeyFilters::filters).orElse(List.of())) {
        if (!allowed.getOrDefault(vertex.id(), List.of()).contains(filter)) {
          violations.add(
              vertex, "is filtered by " + filter.text() + ", which may leave out rows that count");
        }
      }
    }
    return violations.list();
  }

  private static Optional<KeyFilters> filters(IRVertex vertex) {
    return vertex.property(KeyFilters.class);
  }
}
