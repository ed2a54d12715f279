// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import dev.anemone.beam.sql.ndp.ExpressionConverter;
import dev.anemone.beam.sql.ndp.SqlRows;
import dev.anemone.beam.sql.ndp.UnsupportedExpressionException;
import dev.anemone.beam.sql.order.ResultOrder;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.SortKey;
import dev.anemone.ir.relational.query.WindowArguments;
import dev.anemone.ir.relational.query.WindowFrame;
import dev.anemone.ir.relational.query.WindowFunction;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelFieldCollation;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexFieldCollation;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLiteral;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexOver;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexWindow;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexWindowBound;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexWindowExclusion;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;

/**
 * Says analytic functions in the relational IR: a projection that adds what they are of, the
 * windows, and in the place of each function a column.
 *
 * <pre>
 * before:  Calc(a, RANK() OVER (PARTITION BY a ORDER BY b + 1))
 * after:   project(a, f0)
 *            window rank() over (partition by a order by w0) as f0
 *              project(a, b, b + 1 as w0)
 * </pre>
 *
 * <p>Functions whose rows can be divided by the same columns are one relation, others one each, so
 * that each is given its rows by its own columns.
 */
final class WindowConverter {

  private final RexBuilder rexBuilder;
  private final Relation input;
  private final ExpressionConverter expressions;
  private final List<NamedExpression> arguments = new ArrayList<>();
  private final List<Relation.WindowCall> calls = new ArrayList<>();
  private final List<RexOver> functions = new ArrayList<>();

  WindowConverter(RexBuilder rexBuilder, Relation input) {
    this.rexBuilder = rexBuilder;
    this.input = input;
    this.expressions = ExpressionConverter.ofQuery(input.row(), rexBuilder);
  }

  /**
   * Adds the functions of an expression.
   *
   * @throws UnsupportedExpressionException when one of them cannot be said
   */
  void add(RexNode expression) throws UnsupportedExpressionException {
    List<RexOver> found = new ArrayList<>();
    NeighbourDefaults.said(expression, rexBuilder)
        .accept(
            new RexShuttle() {
              @Override
              public RexNode visitOver(RexOver over) {
                found.add(over);
                return over;
              }
            });
    for (RexOver over : found) {
      if (!functions.contains(over)) {
        functions.add(over);
        calls.add(call(over));
      }
    }
  }

  /**
   * The input with a column for each function that was added.
   *
   * @throws UnsupportedExpressionException when one has a type that cannot be said
   */
  Relation relation() throws UnsupportedExpressionException {
    List<NamedExpression> columns = new ArrayList<>();
    for (Field field : input.row().fields()) {
      columns.add(NamedExpression.column(field.name()));
    }
    columns.addAll(arguments);
    Relation windowed = Relation.Step.of(new RelationalOperator.Project(columns), input);
    for (List<Relation.WindowCall> together : calledTogether()) {
      windowed = new Relation.Windowed(windowed, together);
    }
    return Relation.Step.of(new RelationalOperator.Project(typed(windowed)), windowed);
  }

  /** The calls, those together that have a column in common by which their rows are divided. */
  private List<List<Relation.WindowCall>> calledTogether() {
    List<List<Relation.WindowCall>> all = new ArrayList<>();
    List<List<String>> keys = new ArrayList<>();
    for (Relation.WindowCall call : calls) {
      int group = 0;
      while (group < all.size() && !isDividedBy(call.partition(), keys.get(group))) {
        group++;
      }
      if (group == all.size()) {
        all.add(new ArrayList<>());
        keys.add(new ArrayList<>(call.partition()));
      }
      all.get(group).add(call);
      keys.get(group).retainAll(call.partition());
    }
    return all;
  }

  private static boolean isDividedBy(List<String> partition, List<String> keys) {
    return keys.isEmpty() ? partition.isEmpty() : !Collections.disjoint(partition, keys);
  }

  /**
   * The columns of the input, and those of the functions in their order; a sum of whole numbers of
   * 32 bits is one of 32 bits again.
   */
  private List<NamedExpression> typed(Relation windowed) throws UnsupportedExpressionException {
    List<NamedExpression> columns = new ArrayList<>();
    for (Field field : input.row().fields()) {
      columns.add(NamedExpression.column(field.name()));
    }
    for (int i = 0; i < functions.size(); i++) {
      Field field = windowed.row().field(calls.get(i).name());
      boolean isShort =
          field.type().type() == SimpleType.INT64
              && SqlRows.simple(functions.get(i).getType()) == SimpleType.INT32;
      Expression column = new Expression.Column(field.name());
      columns.add(
          new NamedExpression(
              field.name(), isShort ? new Expression.Cast(column, SimpleType.INT32) : column));
    }
    return columns;
  }

  /** The expression with columns of {@link #relation} for its functions. */
  RexNode withoutFunctions(RexNode expression) {
    int first = input.row().fields().size();
    return NeighbourDefaults.said(expression, rexBuilder)
        .accept(
            new RexShuttle() {
              @Override
              public RexNode visitOver(RexOver over) {
                RexNode column =
                    rexBuilder.makeInputRef(over.getType(), first + functions.indexOf(over));
                return over.getAggOperator().getKind() == SqlKind.SUM0 ? orZero(column) : column;
              }
            });
  }

  private RexNode orZero(RexNode sum) {
    return rexBuilder.makeCall(
        SqlStdOperatorTable.CASE,
        rexBuilder.makeCall(SqlStdOperatorTable.IS_NULL, sum),
        rexBuilder.makeZeroLiteral(sum.getType()),
        sum);
  }

  private Relation.WindowCall call(RexOver over) throws UnsupportedExpressionException {
    RexWindow window = over.getWindow();
    if (over.isDistinct() || window.getExclude() != RexWindowExclusion.EXCLUDE_NO_OTHER) {
      throw new UnsupportedExpressionException(over.toString());
    }
    WindowFunction function = function(over);
    if (function.spread().isPresent()) {
      AggregateConverter.requireDouble(over.getType(), over.toString());
    }
    List<String> partition = new ArrayList<>();
    for (RexNode key : window.partitionKeys) {
      partition.add(argument(key));
    }
    List<SortKey> order = new ArrayList<>();
    for (RexFieldCollation key : window.orderKeys) {
      ResultOrder.Key direction =
          ResultOrder.Key.of(
              0, new RelFieldCollation(0, key.getDirection(), key.getNullDirection()));
      order.add(new SortKey(argument(key.left), direction.descending(), direction.nullsFirst()));
    }
    return new Relation.WindowCall(
        "f" + calls.size() + "_over",
        function,
        arguments(function, over),
        partition,
        order,
        frame(window));
  }

  private static WindowFunction function(RexOver over) throws UnsupportedExpressionException {
    return switch (over.getAggOperator().getKind()) {
      case ROW_NUMBER -> WindowFunction.ROW_NUMBER;
      case RANK -> WindowFunction.RANK;
      case DENSE_RANK -> WindowFunction.DENSE_RANK;
      case PERCENT_RANK -> WindowFunction.PERCENT_RANK;
      case CUME_DIST -> WindowFunction.CUME_DIST;
      case NTILE -> WindowFunction.NTILE;
      case LAG -> WindowFunction.LAG;
      case LEAD -> WindowFunction.LEAD;
      case FIRST_VALUE -> WindowFunction.FIRST_VALUE;
      case LAST_VALUE -> WindowFunction.LAST_VALUE;
      case NTH_VALUE -> WindowFunction.NTH_VALUE;
      case VAR_POP -> WindowFunction.VAR_POP;
      case VAR_SAMP -> WindowFunction.VAR_SAMP;
      case STDDEV_POP -> WindowFunction.STDDEV_POP;
      case STDDEV_SAMP -> WindowFunction.STDDEV_SAMP;
      case SUM, SUM0 -> WindowFunction.SUM;
      case COUNT -> WindowFunction.COUNT;
      case MIN -> WindowFunction.MIN;
      case MAX -> WindowFunction.MAX;
      default -> throw new UnsupportedExpressionException(over.toString());
    };
  }

  private WindowArguments arguments(WindowFunction function, RexOver over)
      throws UnsupportedExpressionException {
    List<RexNode> operands = over.getOperands();
    boolean hasValue = function != WindowFunction.NTILE && !operands.isEmpty();
    int numberAt = hasValue ? 1 : 0;
    OptionalLong number = OptionalLong.empty();
    if (operands.size() > numberAt) {
      number = OptionalLong.of(number(operands.get(numberAt), over));
    } else if (NeighbourDefaults.isOfNeighbour(over)) {
      number = OptionalLong.of(1);
    }
    return new WindowArguments(
        hasValue ? Optional.of(argument(value(function, operands.get(0)))) : Optional.empty(),
        number,
        over.ignoreNulls());
  }

  /** Of what differs doubles are taken. */
  private RexNode value(WindowFunction function, RexNode operand) {
    return function.spread().isPresent()
        ? rexBuilder.ensureType(
            rexBuilder.getTypeFactory().createSqlType(SqlTypeName.DOUBLE), operand, true)
        : operand;
  }

  private static long number(RexNode node, RexOver over) throws UnsupportedExpressionException {
    if (node instanceof RexLiteral literal && !literal.isNull()) {
      BigDecimal number = literal.getValueAs(BigDecimal.class);
      if (number.compareTo(BigDecimal.valueOf(number.longValue())) == 0) {
        return number.longValue();
      }
    }
    throw new UnsupportedExpressionException(over + ", whose number is no whole constant");
  }

  private static WindowFrame frame(RexWindow window) throws UnsupportedExpressionException {
    if (window.orderKeys.isEmpty() && !window.isRows()) {
      return WindowFrame.PARTITION;
    }
    return new WindowFrame(
        window.isRows() ? WindowFrame.Unit.ROWS : WindowFrame.Unit.RANGE,
        bound(window.getLowerBound(), window),
        bound(window.getUpperBound(), window));
  }

  private static WindowFrame.Bound bound(RexWindowBound bound, RexWindow window)
      throws UnsupportedExpressionException {
    WindowFrame.Side side =
        bound.isFollowing() ? WindowFrame.Side.FOLLOWING : WindowFrame.Side.PRECEDING;
    if (bound.isCurrentRow()) {
      return new WindowFrame.Bound(side, 0);
    }
    if (bound.isUnbounded()) {
      return new WindowFrame.Bound(side, WindowFrame.UNBOUNDED);
    }
    if (window.isRows() && bound.getOffset() instanceof RexLiteral rows) {
      return new WindowFrame.Bound(side, rows.getValueAs(Long.class));
    }
    throw new UnsupportedExpressionException("the frame of " + window);
  }

  /** The name of a column with the value of an expression. */
  private String argument(RexNode expression) throws UnsupportedExpressionException {
    Expression value = expressions.required(expression);
    if (value instanceof Expression.Column column) {
      return column.name();
    }
    for (NamedExpression known : arguments) {
      if (known.expression().equals(value)) {
        return known.name();
      }
    }
    String name = "w" + arguments.size() + "_over";
    arguments.add(new NamedExpression(name, value));
    return name;
  }
}
