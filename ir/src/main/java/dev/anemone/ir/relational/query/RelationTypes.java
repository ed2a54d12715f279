// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.query;

import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.ExpressionText;
import dev.anemone.ir.relational.ExpressionTyper;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The rows that relations give, and what is refused because it has no meaning. */
final class RelationTypes {

  private RelationTypes() {}

  static void checkValues(RowType row, List<Literal> values) {
    if (values.size() != row.fields().size()) {
      throw new InvalidPlanException(
          "a row of values has "
              + values.size()
              + " literals where "
              + row.fields().size()
              + " are needed");
    }
    for (int i = 0; i < values.size(); i++) {
      Field field = row.fields().get(i);
      Literal value = values.get(i);
      if (!value.type().equals(field.type().type())
          || (value.value().isEmpty() && !field.type().nullable())) {
        throw new InvalidPlanException(
            "the value "
                + ExpressionText.of(value)
                + " stands in column "
                + field
                + "; it must have the column's type");
      }
    }
  }

  /** The columns of both sides next to each other, as the condition of a join sees them. */
  static RowType bothSides(RowType left, RowType right) {
    List<Field> fields = new ArrayList<>(left.fields());
    fields.addAll(right.fields());
    return new RowType(fields);
  }

  static void checkJoin(
      RowType left, RowType right, List<Relation.KeyPair> keys, Optional<Expression> condition) {
    RowType both = bothSides(left, right);
    ExpressionTyper typer = new ExpressionTyper(both);
    for (Relation.KeyPair pair : keys) {
      left.field(pair.left());
      right.field(pair.right());
      typer.requireBoolean(
          new Expression.Comparison(
              Expression.Comparison.Relation.EQUAL, column(pair.left()), column(pair.right())));
    }
    condition.ifPresent(typer::requireBoolean);
  }

  static RowType ofJoin(JoinKind kind, RowType left, RowType right) {
    List<Field> fields = new ArrayList<>(as(left, kind.makesLeftNullable()));
    if (kind.hasBothSides()) {
      fields.addAll(as(right, kind.makesRightNullable()));
    }
    return new RowType(fields);
  }

  private static List<Field> as(RowType row, boolean nullable) {
    return nullable
        ? row.fields().stream()
            .map(field -> Field.nullable(field.name(), field.type().type()))
            .toList()
        : row.fields();
  }

  static RowType ofUnion(List<Relation> inputs) {
    if (inputs.isEmpty()) {
      throw new InvalidPlanException("a union has no input; one at least is needed");
    }
    List<Field> fields = new ArrayList<>(inputs.get(0).row().fields());
    for (Relation input : inputs.subList(1, inputs.size())) {
      List<Field> others = input.row().fields();
      if (others.size() != fields.size()) {
        throw new InvalidPlanException(
            "a union is of rows with " + fields.size() + " and with " + others.size() + " columns");
      }
      for (int i = 0; i < others.size(); i++) {
        fields.set(i, together(fields.get(i), others.get(i)));
      }
    }
    return new RowType(fields);
  }

  private static Field together(Field one, Field other) {
    if (!one.type().type().equals(other.type().type())) {
      throw new InvalidPlanException(
          "a union is of a column "
              + one
              + " and of a column "
              + other
              + "; cast one to the type of the other"
              + (one.type().type() instanceof DecimalType ? ", with its digits" : ""));
    }
    return new Field(
        one.name(),
        new ValueType(one.type().type(), one.type().nullable() || other.type().nullable()));
  }

  static String textOf(Relation.Join join) {
    String conditions =
        join.keys().stream()
            .map(
                pair ->
                    ExpressionText.of(column(pair.left()))
                        + " = "
                        + ExpressionText.of(column(pair.right())))
            .collect(Collectors.joining(", "));
    return join.kind().text()
        + " join"
        + (conditions.isEmpty() ? "" : " by " + conditions)
        + join.condition().map(condition -> " where " + ExpressionText.of(condition)).orElse("");
  }

  static String textOf(Relation.Top top) {
    String keys = top.keys().stream().map(SortKey::text).collect(Collectors.joining(", "));
    return (top.count().isPresent() ? "first " + top.count().getAsLong() : "all")
        + (top.offset() > 0 ? " after " + top.offset() : "")
        + (keys.isEmpty() ? "" : " by " + keys);
  }

  private static Expression column(String name) {
    return new Expression.Column(name);
  }
}
