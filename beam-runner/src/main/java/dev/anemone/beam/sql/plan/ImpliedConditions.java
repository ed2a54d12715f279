// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.ImmutableBitSet;

/**
 * Conditions on single factors that follow from those of a {@link JoinGraph}, so that rows go
 * before they are joined:
 *
 * <pre>
 * a.x = b.x AND a.x &lt; 5                         ──▶  b.x &lt; 5
 * (a.n = 'F' AND b.n = 'G') OR (a.n = 'G' AND b.n = 'F')  ──▶  a.n IN ('F', 'G'), b.n IN ('F', 'G')
 * </pre>
 */
final class ImpliedConditions {

  private final JoinGraph graph;
  private final ColumnClasses classes;
  private final RexBuilder builder;

  ImpliedConditions(JoinGraph graph, ColumnClasses classes, RexBuilder builder) {
    this.graph = graph;
    this.classes = classes;
    this.builder = builder;
  }

  /** Those that follow and are not there. */
  List<RexNode> of(List<RexNode> conjuncts) {
    Set<RexNode> implied = new LinkedHashSet<>();
    for (RexNode conjunct : conjuncts) {
      implied.addAll(ofDisjunction(conjunct));
    }
    List<RexNode> all = new ArrayList<>(conjuncts);
    all.addAll(implied);
    for (RexNode conjunct : all) {
      implied.addAll(ofEqualColumns(conjunct));
    }
    implied.removeAll(Set.copyOf(conjuncts));
    return List.copyOf(implied);
  }

  /** For each factor that every branch says something of, that one of these holds. */
  private List<RexNode> ofDisjunction(RexNode condition) {
    List<RexNode> branches = RelOptUtil.disjunctions(condition);
    ImmutableBitSet factors = graph.factorsOf(condition);
    List<RexNode> implied = new ArrayList<>();
    if (branches.size() == 1 || factors.cardinality() == 1) {
      return implied;
    }
    for (int factor : factors) {
      ImmutableBitSet only = ImmutableBitSet.of(factor);
      List<RexNode> perBranch = new ArrayList<>();
      for (RexNode branch : branches) {
        List<RexNode> own =
            RelOptUtil.conjunctions(branch).stream()
                .filter(conjunct -> graph.factorsOf(conjunct).equals(only))
                .toList();
        perBranch.add(RexUtil.composeConjunction(builder, own));
      }
      RexNode either = RexUtil.composeDisjunction(builder, perBranch);
      if (!either.isAlwaysTrue()) {
        implied.add(either);
      }
    }
    return implied;
  }

  /** What is said of one column holds for all that equal it. */
  private List<RexNode> ofEqualColumns(RexNode condition) {
    ImmutableBitSet columns = RelOptUtil.InputFinder.bits(condition);
    List<RexNode> implied = new ArrayList<>();
    if (columns.cardinality() == 1 && RexUtil.isDeterministic(condition)) {
      int column = columns.nth(0);
      for (int equal : classes.of(column)) {
        if (equal != column) {
          implied.add(condition.accept(new Moved(equal)));
        }
      }
    }
    return implied;
  }

  private final class Moved extends RexShuttle {
    private final int column;

    Moved(int column) {
      this.column = column;
    }

    @Override
    public RexNode visitInputRef(RexInputRef input) {
      return builder.makeInputRef(input.getType(), column);
    }
  }
}
