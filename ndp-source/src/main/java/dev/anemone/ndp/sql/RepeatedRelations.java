// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.sql;

import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.query.Relation;
import java.util.HashSet;
import java.util.Set;

/**
 * The parts that stand at several places of a query, such as a view that it reads twice, and that
 * cost more to compute again than to keep.
 *
 * <pre>
 * before:  join(supplier, aggregate(lineitem), max(aggregate(lineitem)))
 * after:   r = aggregate(lineitem); join(supplier, r, max(r))
 * </pre>
 *
 * <p>A filter or projection of an input does not cost more: the engine reads only what it needs of
 * a file, and keeps nothing of it; where that is dear, {@link RepeatedScans} has what to keep.
 * Within a part that is computed once, only what stands there several times is repeated.
 */
final class RepeatedRelations {

  private final Set<Relation> seen = new HashSet<>();
  private final Set<Relation> repeated = new HashSet<>();

  private RepeatedRelations() {}

  static Set<Relation> of(Relation root) {
    RepeatedRelations relations = new RepeatedRelations();
    relations.visit(root);
    return relations.repeated;
  }

  private void visit(Relation relation) {
    if (isWorthKeeping(relation) && !seen.add(relation)) {
      repeated.add(relation);
      return;
    }
    relation.inputs().forEach(this::visit);
  }

  private static boolean isWorthKeeping(Relation relation) {
    if (relation instanceof Relation.Step step
        && !(step.operator() instanceof RelationalOperator.Aggregate)) {
      return isWorthKeeping(step.input());
    }
    return !(relation instanceof Relation.Input || relation instanceof Relation.Values);
  }
}
