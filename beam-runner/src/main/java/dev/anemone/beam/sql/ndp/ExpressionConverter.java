// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Expression.Comparison.Relation;
import dev.anemone.ir.relational.ExpressionTyper;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLiteral;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexUtil;

/**
 * Converts an expression of the planner to an {@link Expression}, where that means the same: what
 * would be rounded, cut, ordered or refused in another way than the operators of {@link
 * dev.anemone.beam.sql.exec} do it is refused, and stays with them.
 *
 * <p>For a split a division of whole numbers is converted only where its divisor is a constant that
 * is not zero: the engine may evaluate it for rows that another condition leaves out. In a whole
 * query conditions that may fail come after the others.
 */
public final class ExpressionConverter {

  private final RowType columns;
  private final RexBuilder rexBuilder;
  private final ExpressionTyper typer;

  /** Whether the expression is one of a whole query, which knows functions and any division. */
  private final boolean whole;

  /** For expressions of the operators of a split over these columns, by position. */
  ExpressionConverter(RowType columns, RexBuilder rexBuilder) {
    this(columns, rexBuilder, false);
  }

  private ExpressionConverter(RowType columns, RexBuilder rexBuilder, boolean whole) {
    this.whole = whole;
    this.columns = columns;
    this.rexBuilder = rexBuilder;
    this.typer = new ExpressionTyper(columns);
  }

  /** For expressions of a whole query over these columns, by position. */
  public static ExpressionConverter ofQuery(RowType columns, RexBuilder rexBuilder) {
    return new ExpressionConverter(columns, rexBuilder, true);
  }

  /**
   * The expression. Its type is that of {@link SqlRows}.
   *
   * @throws UnsupportedExpressionException when it cannot be converted; the message names the part
   *     of it that stands in the way
   * @throws InvalidPlanException when a decimal in it would need too many digits
   */
  public Expression required(RexNode node) throws UnsupportedExpressionException {
    TypedExpression converted = typed(node);
    DataType simple = SqlRows.simple(node.getType());
    if (converted.isNull()) {
      return Literal.nullOf(simple == null ? new DecimalType(1, 0) : simple);
    }
    if (!SqlRows.holds(node.getType(), converted.type())) {
      throw new UnsupportedExpressionException(node + " as " + node.getType());
    }
    return converted.expression();
  }

  /**
   * A constant that is no decimal, of its own type.
   *
   * @throws UnsupportedExpressionException when there is no such constant
   */
  public static Literal constant(RexLiteral literal) throws UnsupportedExpressionException {
    TypedExpression constant = Literals.of(literal);
    if (constant.expression() instanceof Literal value
        && SqlRows.holds(literal.getType(), value.type())) {
      return value;
    }
    throw new UnsupportedExpressionException(literal + " as " + literal.getType());
  }

  /** The expression, empty when it cannot be converted. Its type is that of {@link SqlRows}. */
  Optional<Expression> convert(RexNode node) {
    try {
      TypedExpression converted = typed(node);
      if (converted.isNull() || !SqlRows.holds(node.getType(), converted.type())) {
        return Optional.empty();
      }
      typer.typeOf(converted.expression());
      return Optional.of(converted.expression());
    } catch (UnsupportedExpressionException
        | InvalidPlanException
        | ArithmeticException unsupported) {
      return Optional.empty();
    }
  }

  private TypedExpression typed(RexNode node) throws UnsupportedExpressionException {
    if (node instanceof RexInputRef ref) {
      var field = columns.fields().get(ref.getIndex());
      return new TypedExpression(new Expression.Column(field.name()), field.type().type());
    }
    if (node instanceof RexLiteral literal) {
      return Literals.of(literal);
    }
    if (node instanceof RexCall call) {
      TypedExpression converted = call(call);
      // Typed at once: what is wrong shows where it is, and a decimal gets its digits.
      return new TypedExpression(
          converted.expression(), typer.typeOf(converted.expression()).type());
    }
    throw new UnsupportedExpressionException(node.toString());
  }

  /** Converts an operand of a call. */
  @FunctionalInterface
  interface Operands {
    TypedExpression of(RexCall call, int index) throws UnsupportedExpressionException;
  }

  private TypedExpression call(RexCall call) throws UnsupportedExpressionException {
    return switch (call.getKind()) {
      case AND -> bool(new Expression.And(conditions(call)));
      case OR -> bool(new Expression.Or(conditions(call)));
      case NOT -> bool(new Expression.Not(operand(call, 0).expression()));
      case IS_NULL -> bool(new Expression.IsNull(operand(call, 0).expression()));
      case IS_NOT_NULL ->
          bool(new Expression.Not(new Expression.IsNull(operand(call, 0).expression())));
      case IS_TRUE -> truth(operand(call, 0).expression(), true);
      case IS_NOT_TRUE -> truth(operand(call, 0).expression(), false);
      case IS_FALSE -> truth(new Expression.Not(operand(call, 0).expression()), true);
      case IS_NOT_FALSE -> truth(new Expression.Not(operand(call, 0).expression()), false);
      case EQUALS -> compared(Relation.EQUAL, call);
      case NOT_EQUALS -> compared(Relation.NOT_EQUAL, call);
      case LESS_THAN -> compared(Relation.LESS, call);
      case LESS_THAN_OR_EQUAL -> compared(Relation.LESS_OR_EQUAL, call);
      case GREATER_THAN -> compared(Relation.GREATER, call);
      case GREATER_THAN_OR_EQUAL -> compared(Relation.GREATER_OR_EQUAL, call);
      case SEARCH -> typed(RexUtil.expandSearch(rexBuilder, null, call));
      case CASE -> choice(call);
      case CAST -> cast(call);
      case PLUS, MINUS, TIMES, DIVIDE, MOD ->
          NumberConverter.arithmetic(call, this::operand, whole);
      case EXTRACT -> FunctionConverter.extract(call, operand(call, 1));
      case LIKE -> FunctionConverter.like(call, operand(call, 0));
      default -> {
        if (!whole) {
          throw new UnsupportedExpressionException(call.toString());
        }
        yield FunctionConverter.of(call, this::operand, typer);
      }
    };
  }

  private TypedExpression operand(RexCall call, int index) throws UnsupportedExpressionException {
    return typed(call.getOperands().get(index));
  }

  private List<Expression> conditions(RexCall call) throws UnsupportedExpressionException {
    List<Expression> conditions = new ArrayList<>();
    for (RexNode operand : call.getOperands()) {
      conditions.add(typed(operand).expression());
    }
    return conditions;
  }

  static TypedExpression bool(Expression expression) {
    return new TypedExpression(expression, SimpleType.BOOLEAN);
  }

  /** Whether a condition is true, or is not: never null. */
  private static TypedExpression truth(Expression condition, boolean wanted) {
    return bool(
        new Expression.Case(
            List.of(new Expression.Case.Branch(condition, Literal.of(wanted))),
            Optional.of(Literal.of(!wanted))));
  }

  private TypedExpression compared(Relation relation, RexCall call)
      throws UnsupportedExpressionException {
    return NumberConverter.compared(relation, call, this::operand, whole);
  }

  /** CASE: conditions and results alternate, and the last operand is the ELSE. */
  private TypedExpression choice(RexCall call) throws UnsupportedExpressionException {
    List<TypedExpression> results = new ArrayList<>();
    List<Expression> conditions = new ArrayList<>();
    int last = call.getOperands().size() - 1;
    for (int i = 0; i < last; i += 2) {
      conditions.add(operand(call, i).expression());
      results.add(operand(call, i + 1));
    }
    results.add(operand(call, last));
    DataType common = common(call.getType(), results);
    List<Expression.Case.Branch> branches = new ArrayList<>();
    for (int i = 0; i < conditions.size(); i++) {
      branches.add(
          new Expression.Case.Branch(conditions.get(i), results.get(i).as(common).expression()));
    }
    TypedExpression otherwise = results.get(conditions.size());
    return new TypedExpression(
        new Expression.Case(
            branches,
            otherwise.isNull() ? Optional.empty() : Optional.of(otherwise.as(common).expression())),
        common);
  }

  /** The type of all results; of decimals the smallest that holds the digits of each. */
  private static DataType common(RelDataType sqlType, List<TypedExpression> results)
      throws UnsupportedExpressionException {
    DataType simple = SqlRows.simple(sqlType);
    if (simple != null) {
      return simple;
    }
    int integerDigits = 0;
    int scale = 0;
    for (TypedExpression result : results) {
      if (!result.isNull()) {
        DecimalType type = (DecimalType) result.asDecimal().type();
        integerDigits = Math.max(integerDigits, type.integerDigits());
        scale = Math.max(scale, type.scale());
      }
    }
    return new DecimalType(Math.max(1, integerDigits + scale), scale);
  }

  private TypedExpression cast(RexCall call) throws UnsupportedExpressionException {
    RexNode from = call.getOperands().get(0);
    RelDataType to = call.getType();
    if (from instanceof RexLiteral literal && Literals.isText(literal)) {
      return Literals.castText(literal, to);
    }
    TypedExpression value = typed(from);
    return switch (to.getSqlTypeName()) {
      case DECIMAL -> SqlRows.fitted(value.asDecimal(), to, rexBuilder.getTypeFactory());
      case INTEGER, BIGINT, DOUBLE -> value.as(SqlRows.simple(to));
      case DATE, TIMESTAMP ->
          SqlRows.isTime(from.getType())
              ? (value.type() == SqlRows.simple(to) ? value : value.cast(SqlRows.simple(to)))
              : refuse(call);
      case VARCHAR, CHAR -> SqlRows.keepsText(from.getType(), to) ? value : refuse(call);
      default -> from.getType().getSqlTypeName() == to.getSqlTypeName() ? value : refuse(call);
    };
  }

  private static TypedExpression refuse(RexCall call) throws UnsupportedExpressionException {
    throw new UnsupportedExpressionException(call.toString());
  }
}
