// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import java.util.ArrayList;
import java.util.List;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.JoinRelType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RelBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.ImmutableBitSet;

/** Makes the operators of an order of joins. */
final class JoinBuilder {

  private final JoinGraph graph;
  private final JoinConditions conditions;
  private final JoinSizes sizes;
  private final RelBuilder builder;

  JoinBuilder(JoinGraph graph, JoinConditions conditions, JoinSizes sizes, RelBuilder builder) {
    this.graph = graph;
    this.conditions = conditions;
    this.sizes = sizes;
    this.builder = builder;
  }

  /**
   * A part of the joins.
   *
   * @param columns which of the columns of all factors it yields, in its order
   */
  private record Part(RelNode node, List<Integer> columns) {}

  /** The joins below a projection to what the tree of the graph yielded. */
  RelNode build(JoinSearch.Tree tree, List<String> names) {
    Part part = part(tree);
    builder.push(part.node());
    List<RexNode> constant = new ArrayList<>();
    for (JoinConditions.Condition condition : conditions.others()) {
      if (condition.factors().isEmpty()) {
        constant.add(condition.expression());
      }
    }
    List<RexNode> outputs =
        graph.outputs().stream().map(output -> over(part.columns(), output)).toList();
    return builder.filter(constant).project(outputs, names).build();
  }

  private Part part(JoinSearch.Tree tree) {
    if (tree.isLeaf()) {
      JoinGraph.Factor factor = graph.factors().get(tree.leaf());
      List<Integer> columns = new ArrayList<>();
      for (int i = factor.firstColumn(); i < factor.endColumn(); i++) {
        columns.add(i);
      }
      return new Part(sizes.filtered(tree.leaf()), columns);
    }
    Part left = part(tree.left());
    Part right = part(tree.right());
    List<Integer> columns = new ArrayList<>(left.columns());
    columns.addAll(right.columns());
    JoinRelType type = tree.right().isLeaf() ? sizes.type(tree.right().leaf()) : JoinRelType.INNER;
    RexNode condition =
        type == JoinRelType.INNER
            ? builder.and(innerConditions(tree))
            : graph.factors().get(tree.right().leaf()).condition();
    RelNode join =
        builder.push(left.node()).push(right.node()).join(type, over(columns, condition)).build();
    return new Part(join, type == JoinRelType.INNER ? columns : left.columns());
  }

  private List<RexNode> innerConditions(JoinSearch.Tree tree) {
    ImmutableBitSet left = tree.left().factors();
    ImmutableBitSet right = tree.right().factors();
    List<RexNode> found = new ArrayList<>();
    for (List<Integer> equal : conditions.classes()) {
      Integer onLeft = firstIn(equal, left);
      Integer onRight = firstIn(equal, right);
      if (onLeft != null && onRight != null) {
        found.add(builder.equals(column(onLeft), column(onRight)));
      }
    }
    for (JoinConditions.Condition condition : conditions.others()) {
      if (JoinSizes.appliesFirst(condition.factors(), left, right)) {
        found.add(condition.expression());
      }
    }
    return found;
  }

  private Integer firstIn(List<Integer> columns, ImmutableBitSet factors) {
    for (int column : columns) {
      int factor = sizes.factorOf(column);
      if (factors.get(factor) && graph.factors().get(factor).isInner()) {
        return column;
      }
    }
    return null;
  }

  private RexNode column(int column) {
    JoinGraph.Factor factor = graph.factors().get(sizes.factorOf(column));
    return builder
        .getRexBuilder()
        .makeInputRef(
            factor.node().getRowType().getFieldList().get(column - factor.firstColumn()).getType(),
            column);
  }

  private static RexNode over(List<Integer> columns, RexNode expression) {
    return expression.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef input) {
            return new RexInputRef(columns.indexOf(input.getIndex()), input.getType());
          }
        });
  }
}
