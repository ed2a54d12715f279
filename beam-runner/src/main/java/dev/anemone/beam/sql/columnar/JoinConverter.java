// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import dev.anemone.beam.sql.ndp.ExpressionConverter;
import dev.anemone.beam.sql.ndp.UnsupportedExpressionException;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Join;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;

/**
 * Says joins in the relational IR: keys where columns are compared, and the rest of a condition.
 */
final class JoinConverter {

  private final RexBuilder rexBuilder;

  JoinConverter(RexBuilder rexBuilder) {
    this.rexBuilder = rexBuilder;
  }

  /**
   * The relation that a join is.
   *
   * @param left the side whose columns keep their names
   * @param other the other side, whose columns get other names where these are taken
   * @throws UnsupportedExpressionException when its condition cannot be said
   */
  Relation.Join relation(Join join, Relation left, Relation other)
      throws UnsupportedExpressionException {
    Relation right =
        renamed(other, left.row().fields().stream().map(Field::name).collect(Collectors.toSet()));
    List<Field> fields = new ArrayList<>(left.row().fields());
    fields.addAll(right.row().fields());
    RowType both = new RowType(fields);
    ExpressionConverter expressions = ExpressionConverter.ofQuery(both, rexBuilder);
    List<Relation.KeyPair> keys = new ArrayList<>();
    List<Expression> others = new ArrayList<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(join.getCondition())) {
      Optional<Relation.KeyPair> pair = pair(conjunct, fields, left.row().fields().size());
      if (pair.isPresent()) {
        keys.add(pair.get());
      } else if (!conjunct.isAlwaysTrue()) {
        others.add(expressions.required(conjunct));
      }
    }
    return new Relation.Join(
        kind(join),
        left,
        right,
        keys,
        switch (others.size()) {
          case 0 -> Optional.empty();
          case 1 -> Optional.of(others.get(0));
          default -> Optional.of(new Expression.And(others));
        });
  }

  /** A condition that compares a column of each side, if their types are the same. */
  private static Optional<Relation.KeyPair> pair(RexNode conjunct, List<Field> fields, int width) {
    if (!(conjunct instanceof RexCall call)
        || call.getKind() != SqlKind.EQUALS
        || !(call.getOperands().get(0) instanceof RexInputRef one)
        || !(call.getOperands().get(1) instanceof RexInputRef other)) {
      return Optional.empty();
    }
    int left = Math.min(one.getIndex(), other.getIndex());
    int right = Math.max(one.getIndex(), other.getIndex());
    boolean same = fields.get(left).type().type().equals(fields.get(right).type().type());
    return same && left < width && right >= width
        ? Optional.of(new Relation.KeyPair(fields.get(left).name(), fields.get(right).name()))
        : Optional.empty();
  }

  private static JoinKind kind(Join join) throws UnsupportedExpressionException {
    return switch (join.getJoinType()) {
      case INNER -> JoinKind.INNER;
      case LEFT -> JoinKind.LEFT;
      case RIGHT -> JoinKind.RIGHT;
      case FULL -> JoinKind.FULL;
      case SEMI -> JoinKind.SEMI;
      case ANTI -> JoinKind.ANTI;
      default -> throw new UnsupportedExpressionException("a join " + join.getJoinType());
    };
  }

  private static Relation renamed(Relation relation, Set<String> taken) {
    List<Field> fields = relation.row().fields();
    if (fields.stream().noneMatch(field -> taken.contains(field.name()))) {
      return relation;
    }
    List<String> names = RelationConverter.names(fields.stream().map(Field::name).toList(), taken);
    List<NamedExpression> columns = new ArrayList<>();
    for (Field field : fields) {
      columns.add(
          new NamedExpression(names.get(columns.size()), new Expression.Column(field.name())));
    }
    return Relation.Step.of(new RelationalOperator.Project(columns), relation);
  }
}
