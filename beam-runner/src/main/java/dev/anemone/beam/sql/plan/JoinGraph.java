// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Filter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Join;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.JoinRelType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Project;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.ImmutableBitSet;

/**
 * A tree of inner, semi and anti joins without its order: what is joined, and under which
 * conditions. Expressions are over the columns of all factors, one factor after the other.
 */
final class JoinGraph {

  /**
   * Something that is joined.
   *
   * @param firstColumn of its columns, among those of all factors
   * @param type INNER; or SEMI or ANTI for what only tells which rows of others stay
   * @param condition of a SEMI or ANTI join, else null
   */
  record Factor(RelNode node, int firstColumn, JoinRelType type, RexNode condition) {

    int endColumn() {
      return firstColumn + node.getRowType().getFieldCount();
    }

    boolean isInner() {
      return type == JoinRelType.INNER;
    }
  }

  private final RexBuilder builder;
  private final UnaryOperator<RelNode> ofFactor;
  private final List<Factor> factors = new ArrayList<>();
  private final List<RexNode> conjuncts = new ArrayList<>();
  private List<RexNode> outputs;
  private int columns;

  private JoinGraph(RexBuilder builder, UnaryOperator<RelNode> ofFactor) {
    this.builder = builder;
    this.ofFactor = ofFactor;
  }

  /**
   * The graph of a tree.
   *
   * @param ofFactor applied to each factor
   */
  static JoinGraph of(RelNode tree, UnaryOperator<RelNode> ofFactor) {
    JoinGraph graph = new JoinGraph(tree.getCluster().getRexBuilder(), ofFactor);
    graph.outputs = graph.add(tree);
    return graph;
  }

  /** Whether an operator is the root of a tree that has an order. */
  static boolean isTree(RelNode node) {
    if (node instanceof Join join) {
      return switch (join.getJoinType()) {
        case INNER, SEMI, ANTI -> true;
        default -> false;
      };
    }
    return isTransparent(node) && isTree(node.getInput(0));
  }

  private static boolean isTransparent(RelNode node) {
    return node instanceof Filter
        || (node instanceof Project project
            && !project.containsOver()
            && project.getProjects().stream().allMatch(RexUtil::isDeterministic));
  }

  List<Factor> factors() {
    return List.copyOf(factors);
  }

  /** Conditions that all hold. */
  List<RexNode> conjuncts() {
    return List.copyOf(conjuncts);
  }

  /** What the tree yields. */
  List<RexNode> outputs() {
    return List.copyOf(outputs);
  }

  /** The factors whose columns an expression reads, by their index. */
  ImmutableBitSet factorsOf(RexNode expression) {
    ImmutableBitSet read = RelOptUtil.InputFinder.bits(expression);
    ImmutableBitSet.Builder found = ImmutableBitSet.builder();
    for (int i = 0; i < factors.size(); i++) {
      Factor factor = factors.get(i);
      if (read.intersects(ImmutableBitSet.range(factor.firstColumn(), factor.endColumn()))) {
        found.set(i);
      }
    }
    return found.build();
  }

  private List<RexNode> add(RelNode node) {
    if (!isTree(node)) {
      return addFactor(node, JoinRelType.INNER);
    }
    if (node instanceof Project project) {
      List<RexNode> inputs = add(project.getInput());
      return project.getProjects().stream().map(p -> over(inputs, p)).toList();
    }
    if (node instanceof Filter filter) {
      List<RexNode> inputs = add(filter.getInput());
      addCondition(over(inputs, filter.getCondition()));
      return inputs;
    }
    Join join = (Join) node;
    List<RexNode> left = add(join.getLeft());
    boolean inner = join.getJoinType() == JoinRelType.INNER;
    List<RexNode> both = new ArrayList<>(left);
    int index = factors.size();
    both.addAll(inner ? add(join.getRight()) : addFactor(join.getRight(), join.getJoinType()));
    RexNode condition = over(both, join.getCondition());
    if (inner) {
      addCondition(condition);
      return both;
    }
    Factor added = factors.get(index);
    factors.set(index, new Factor(added.node(), added.firstColumn(), added.type(), condition));
    return left;
  }

  private List<RexNode> addFactor(RelNode node, JoinRelType type) {
    Factor factor = new Factor(ofFactor.apply(node), columns, type, null);
    factors.add(factor);
    columns = factor.endColumn();
    List<RexNode> own = new ArrayList<>();
    for (int i = factor.firstColumn(); i < columns; i++) {
      own.add(
          builder.makeInputRef(
              node.getRowType().getFieldList().get(i - factor.firstColumn()).getType(), i));
    }
    return own;
  }

  /** What all branches of an OR have in common holds by itself, such as the key of a join. */
  private void addCondition(RexNode condition) {
    for (RexNode conjunct : RelOptUtil.conjunctions(RexUtil.pullFactors(builder, condition))) {
      if (!conjunct.isAlwaysTrue() && !Set.copyOf(conjuncts).contains(conjunct)) {
        conjuncts.add(conjunct);
      }
    }
  }

  private static RexNode over(List<RexNode> inputs, RexNode expression) {
    return expression.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef input) {
            return inputs.get(input.getIndex());
          }
        });
  }
}
