// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import java.util.ArrayList;
import java.util.List;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.ImmutableBitSet;

/**
 * The conditions of a {@link JoinGraph}, sorted by what a search for an order wants to know.
 *
 * @param classes columns that equal each other; of these conditions there is no other trace
 * @param others each with the factors that it needs; conditions on one factor are among them
 */
record JoinConditions(List<List<Integer>> classes, List<Condition> others) {

  record Condition(RexNode expression, ImmutableBitSet factors) {}

  static JoinConditions of(JoinGraph graph, RexBuilder builder) {
    ColumnClasses classes = new ColumnClasses();
    List<RexNode> others = new ArrayList<>();
    for (RexNode conjunct : graph.conjuncts()) {
      ColumnClasses.Equality.of(conjunct).ifPresentOrElse(classes::add, () -> others.add(conjunct));
    }
    others.addAll(new ImpliedConditions(graph, classes, builder).of(others));
    return new JoinConditions(
        classes.classes(),
        others.stream().map(other -> new Condition(other, graph.factorsOf(other))).toList());
  }
}
