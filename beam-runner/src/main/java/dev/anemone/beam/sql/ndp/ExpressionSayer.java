package dev.anemone.beam.sql.ndp;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Expression.Arithmetic.Operator;
import dev.anemone.ir.relational.Expression.Comparison.Relation;
import dev.anemone.ir.relational.ExpressionTyper;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLiteral;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Says an expression of the planner as an {@link Expression}, where that means the same: what would
 * be rounded, cut, ordered or refused in another way than the operators of {@link
 * dev.anemone.beam.sql.exec} do it is refused, and stays with them.
 *
 * <p>A division of whole numbers is said only where its divisor is a constant that is not zero: the
 * engine may evaluate it for rows that another condition leaves out.
 */
final class ExpressionSayer {

  private final RowType columns;
  private final RexBuilder rexBuilder;
  private final ExpressionTyper typer;

  /** For expressions over these columns, by position. */
  ExpressionSayer(RowType columns, RexBuilder rexBuilder) {
    this.columns = columns;
    this.rexBuilder = rexBuilder;
    this.typer = new ExpressionTyper(columns);
  }

  /** The expression, empty when it cannot be said. Its type is that of {@link SqlRows}. */
  Optional<Expression> say(RexNode node) {
    try {
      Typed said = typed(node);
      if (said.isNull() || !SqlRows.holds(node.getType(), said.type())) {
        return Optional.empty();
      }
      typer.typeOf(said.expression());
      return Optional.of(said.expression());
    } catch (UnsayableException | InvalidPlanException | ArithmeticException unsayable) {
      return Optional.empty();
    }
  }

  private Typed typed(RexNode node) throws UnsayableException {
    if (node instanceof RexInputRef ref) {
      var field = columns.fields().get(ref.getIndex());
      return new Typed(new Expression.Column(field.name()), field.type().type());
    }
    if (node instanceof RexLiteral literal) {
      return Literals.of(literal);
    }
    if (node instanceof RexCall call) {
      Typed said = call(call);
      // Typed at once: what is wrong shows where it is, and a decimal gets its digits.
      return new Typed(said.expression(), typer.typeOf(said.expression()).type());
    }
    throw new UnsayableException(node.toString());
  }

  private Typed call(RexCall call) throws UnsayableException {
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
      case PLUS, MINUS, TIMES, DIVIDE, MOD -> arithmetic(call);
      case EXTRACT -> extract(call);
      case LIKE -> like(call);
      default -> throw new UnsayableException(call.toString());
    };
  }

  private Typed operand(RexCall call, int index) throws UnsayableException {
    return typed(call.getOperands().get(index));
  }

  private List<Expression> conditions(RexCall call) throws UnsayableException {
    List<Expression> conditions = new ArrayList<>();
    for (RexNode operand : call.getOperands()) {
      conditions.add(typed(operand).expression());
    }
    return conditions;
  }

  private static Typed bool(Expression expression) {
    return new Typed(expression, SimpleType.BOOLEAN);
  }

  /** Whether a condition is true, or is not: never null. */
  private static Typed truth(Expression condition, boolean wanted) {
    return bool(
        new Expression.Case(
            List.of(new Expression.Case.Branch(condition, Literal.of(wanted))),
            Optional.of(Literal.of(!wanted))));
  }

  private Typed compared(Relation relation, RexCall call) throws UnsayableException {
    Typed left = operand(call, 0);
    Typed right = operand(call, 1);
    if (left.isNull() || right.isNull()) {
      throw new UnsayableException(call.toString());
    }
    if (Typed.rank(left.type()) > 0 && Typed.rank(right.type()) > 0) {
      int rank = Math.max(Typed.rank(left.type()), Typed.rank(right.type()));
      left = ofRank(left, rank);
      right = ofRank(right, rank);
    }
    return bool(new Expression.Comparison(relation, left.expression(), right.expression()));
  }

  private static Typed ofRank(Typed number, int rank) throws UnsayableException {
    return switch (rank) {
      case 1 -> number;
      case 2 -> number.as(SimpleType.INT64);
      case 3 -> number.asDecimal();
      default -> number.as(SimpleType.DOUBLE);
    };
  }

  private Typed arithmetic(RexCall call) throws UnsayableException {
    if (call.getOperands().size() != 2) {
      throw new UnsayableException(call.toString());
    }
    if (SqlRows.isTime(call.getOperands().get(0).getType())) {
      return Literals.moved(operand(call, 0), call);
    }
    int rank =
        switch (call.getType().getSqlTypeName()) {
          case INTEGER -> 1;
          case BIGINT -> 2;
          case DECIMAL -> 3;
          case DOUBLE -> 4;
          default -> throw new UnsayableException(call.toString());
        };
    Typed left = ofRank(operand(call, 0), rank);
    Typed right = ofRank(operand(call, 1), rank);
    if (left.isNull() || right.isNull()) {
      throw new UnsayableException(call.toString());
    }
    return new Typed(
        new Expression.Arithmetic(
            operator(call.getKind(), rank, right), left.expression(), right.expression()),
        left.type());
  }

  private static Operator operator(SqlKind kind, int rank, Typed right) throws UnsayableException {
    boolean whole = rank <= 2;
    boolean divisible =
        whole
            && right.expression() instanceof Literal literal
            && literal.value().orElseThrow() instanceof Number number
            && number.longValue() != 0
            && number.longValue() != -1;
    return switch (kind) {
      case PLUS -> Operator.ADD;
      case MINUS -> Operator.SUBTRACT;
      case TIMES -> Operator.MULTIPLY;
      case DIVIDE -> {
        if (!divisible) {
          throw new UnsayableException("a quotient");
        }
        yield Operator.DIVIDE;
      }
      default -> {
        if (!divisible) {
          throw new UnsayableException("a remainder");
        }
        yield Operator.REMAINDER;
      }
    };
  }

  /** CASE: conditions and results alternate, and the last operand is the ELSE. */
  private Typed choice(RexCall call) throws UnsayableException {
    List<Typed> results = new ArrayList<>();
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
    Typed otherwise = results.get(conditions.size());
    return new Typed(
        new Expression.Case(
            branches,
            otherwise.isNull() ? Optional.empty() : Optional.of(otherwise.as(common).expression())),
        common);
  }

  /** The type of all results; of decimals the smallest that holds the digits of each. */
  private static DataType common(RelDataType sqlType, List<Typed> results)
      throws UnsayableException {
    DataType simple = SqlRows.simple(sqlType);
    if (simple != null) {
      return simple;
    }
    int integerDigits = 0;
    int scale = 0;
    for (Typed result : results) {
      if (!result.isNull()) {
        DecimalType type = (DecimalType) result.asDecimal().type();
        integerDigits = Math.max(integerDigits, type.integerDigits());
        scale = Math.max(scale, type.scale());
      }
    }
    return new DecimalType(Math.max(1, integerDigits + scale), scale);
  }

  private Typed cast(RexCall call) throws UnsayableException {
    RexNode from = call.getOperands().get(0);
    RelDataType to = call.getType();
    if (from instanceof RexLiteral literal && Literals.isText(literal)) {
      return Literals.castText(literal, to);
    }
    Typed value = typed(from);
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

  private static Typed refuse(RexCall call) throws UnsayableException {
    throw new UnsayableException(call.toString());
  }

  private Typed extract(RexCall call) throws UnsayableException {
    if (!(call.getOperands().get(0) instanceof RexLiteral literal)
        || !(literal.getValue() instanceof TimeUnitRange range)) {
      return refuse(call);
    }
    Expression.Extract.Part part =
        switch (range) {
          case YEAR -> Expression.Extract.Part.YEAR;
          case MONTH -> Expression.Extract.Part.MONTH;
          case DAY -> Expression.Extract.Part.DAY;
          default -> throw new UnsayableException(call.toString());
        };
    return new Typed(new Expression.Extract(part, operand(call, 1).expression()), SimpleType.INT64);
  }

  private Typed like(RexCall call) throws UnsayableException {
    List<RexNode> operands = call.getOperands();
    List<String> texts = new ArrayList<>();
    for (RexNode operand : operands.subList(1, operands.size())) {
      if (operand instanceof RexLiteral literal && Literals.isText(literal)) {
        texts.add(literal.getValueAs(String.class));
      }
    }
    boolean escaped = texts.size() == 2 && texts.get(1).length() == 1;
    // NOT LIKE is a NOT around a LIKE by now; an operator of its own is another dialect's.
    if (!call.getOperator().equals(SqlStdOperatorTable.LIKE)
        || texts.size() != operands.size() - 1
        || (texts.size() == 2 && !escaped)) {
      return refuse(call);
    }
    return bool(
        new Expression.Like(
            operand(call, 0).expression(),
            texts.get(0),
            escaped ? Optional.of(texts.get(1).charAt(0)) : Optional.empty()));
  }
}
