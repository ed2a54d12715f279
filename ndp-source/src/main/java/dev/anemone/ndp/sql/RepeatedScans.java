// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.sql;

import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.query.Relation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The inputs that a query reads at several places, each time other rows or columns, and the columns
 * that it needs of them at all of these places together: where a scan is dear, as that of text is,
 * it pays to keep these and to read them as often as needed.
 *
 * <pre>
 * before:  join(project a (filter b (lines)), project c (lines))
 * after:   t = project a, b, c (lines); join(project a (filter b (t)), project c (t))
 * </pre>
 *
 * <p>An input of which some place needs whole rows is not among them: keeping them could take as
 * much as the table. What is {@linkplain RepeatedRelations computed once} reads once.
 */
final class RepeatedScans {

  /** The columns of each input so far; empty where a place needs whole rows. */
  private final Map<String, Optional<Set<String>>> needed = new HashMap<>();

  private final Map<String, Integer> places = new HashMap<>();
  private final Set<Relation> computedOnce;
  private final Set<Relation> seen = new HashSet<>();

  private RepeatedScans(Set<Relation> computedOnce) {
    this.computedOnce = computedOnce;
  }

  /**
   * The needed columns of each input that is read at several places.
   *
   * @param computedOnce relations that stand at several places and are computed at one
   */
  static Map<String, Set<String>> of(Relation root, Set<Relation> computedOnce) {
    RepeatedScans scans = new RepeatedScans(computedOnce);
    scans.visit(root, Optional.empty());
    Map<String, Set<String>> repeated = new HashMap<>();
    scans.needed.forEach(
        (name, columns) -> {
          if (scans.places.get(name) > 1) {
            columns.filter(some -> !some.isEmpty()).ifPresent(some -> repeated.put(name, some));
          }
        });
    return repeated;
  }

  /**
   * Looks at a relation.
   *
   * @param read the columns that are read of it; empty if that may be all
   */
  private void visit(Relation relation, Optional<Set<String>> read) {
    if (computedOnce.contains(relation) && !seen.add(relation)) {
      return;
    }
    if (relation instanceof Relation.Input input) {
      places.merge(input.name(), 1, Integer::sum);
      needed.merge(input.name(), read, RepeatedScans::both);
    } else if (relation instanceof Relation.Step step) {
      visit(step.input(), readBy(step.operator(), read));
    } else {
      relation.inputs().forEach(input -> visit(input, Optional.empty()));
    }
  }

  private static Optional<Set<String>> both(Optional<Set<String>> one, Optional<Set<String>> two) {
    if (one.isEmpty() || two.isEmpty()) {
      return Optional.empty();
    }
    Set<String> all = new HashSet<>(one.get());
    all.addAll(two.get());
    return Optional.of(all);
  }

  private static Optional<Set<String>> readBy(
      RelationalOperator operator, Optional<Set<String>> above) {
    Optional<Set<String>> own = Optional.of(operator.columnsRead());
    return operator instanceof RelationalOperator.Filter ? both(above, own) : own;
  }
}
