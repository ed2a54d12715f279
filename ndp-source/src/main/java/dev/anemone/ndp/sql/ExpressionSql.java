// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.sql;

import dev.anemone.ir.relational.AskingOrder;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Expression.Arithmetic;
import dev.anemone.ir.relational.ExpressionTyper;
import dev.anemone.ir.relational.Failures;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Expressions in DuckDB's SQL, with casts wherever DuckDB would choose a type of its own: its sums
 * and products of decimals overflow at 18 digits, ours at 38.
 */
final class ExpressionSql {

  /** Most digits of a decimal that DuckDB keeps in 64 bits. */
  private static final int SHORT_DIGITS = 18;

  private final RowType row;
  private final ExpressionTyper typer;
  private final Failures failures;
  private final IntFunction<String> columns;

  /**
   * @param row the rows that expressions are over
   * @param columns what the query calls the column of a position
   */
  ExpressionSql(RowType row, IntFunction<String> columns) {
    this.row = row;
    this.typer = new ExpressionTyper(row);
    this.failures = new Failures(typer);
    this.columns = columns;
  }

  String of(Expression expression) {
    if (expression instanceof Expression.Column column) {
      return columns.apply(row.indexOf(column.name()).orElseThrow());
    } else if (expression instanceof Literal literal) {
      return SqlText.literal(literal);
    } else if (expression instanceof Expression.Comparison comparison) {
      DataType common = common(List.of(comparison.left(), comparison.right()));
      return "("
          + as(common, comparison.left())
          + " "
          + comparison.relation().symbol()
          + " "
          + as(common, comparison.right())
          + ")";
    } else if (expression instanceof Arithmetic arithmetic) {
      return ofArithmetic(arithmetic);
    } else if (expression instanceof Expression.And and) {
      return guarded(and.operands(), " AND ", false);
    } else if (expression instanceof Expression.Or or) {
      return guarded(or.operands(), " OR ", true);
    } else if (expression instanceof Expression.Not not) {
      return "(NOT " + of(not.operand()) + ")";
    } else if (expression instanceof Expression.Between between) {
      DataType common = common(between.children());
      String value = as(common, between.value());
      return "("
          + value
          + " >= "
          + as(common, between.low())
          + " AND "
          + value
          + " <= "
          + as(common, between.high())
          + ")";
    } else if (expression instanceof Expression.In in) {
      DataType common = common(in.children());
      return "("
          + as(common, in.value())
          + " IN ("
          + in.literals().stream().map(item -> as(common, item)).collect(Collectors.joining(", "))
          + "))";
    } else if (expression instanceof Expression.Like like) {
      return "("
          + of(like.value())
          + " LIKE "
          + SqlText.string(like.pattern())
          + like.escape().map(c -> " ESCAPE " + SqlText.string(c.toString())).orElse("")
          + ")";
    } else if (expression instanceof Expression.IsNull isNull) {
      return "(" + of(isNull.value()) + " IS NULL)";
    } else if (expression instanceof Expression.Case choice) {
      return ofCase(choice);
    } else if (expression instanceof Expression.DateAdd add) {
      return ofDateAdd(add);
    } else if (expression instanceof Expression.DaysBetween days) {
      return "CAST(" + of(days.to()) + " - " + of(days.from()) + " AS BIGINT)";
    } else if (expression instanceof Expression.Extract extract) {
      return extract.part().name().toLowerCase(Locale.ROOT) + "(" + of(extract.value()) + ")";
    } else if (expression instanceof Expression.Cast cast) {
      return SqlText.cast(of(cast.value()), cast.type());
    } else if (expression instanceof Expression.Call call) {
      return ofCall(call);
    }
    throw new IllegalStateException("no SQL of a " + expression.getClass().getSimpleName());
  }

  /**
   * A condition that rows are filtered by. DuckDB asks the parts of a conjunction in an order of
   * its own, so what may fail asks for itself whether the other parts are true.
   */
  String ofFilter(Expression condition) {
    return condition instanceof Expression.And and
        ? ofFilter(AskingOrder.levels(conjuncts(and).toList(), failures::of))
        : of(condition);
  }

  private String ofFilter(List<List<Expression>> levels) {
    String first = joined(levels.get(0), " AND ");
    return levels.size() == 1
        ? first
        : "("
            + first
            + " AND CASE WHEN "
            + first
            + " THEN "
            + ofFilter(levels.subList(1, levels.size()))
            + " ELSE false END)";
  }

  private static Stream<Expression> conjuncts(Expression condition) {
    return condition instanceof Expression.And and
        ? and.operands().stream().flatMap(ExpressionSql::conjuncts)
        : Stream.of(condition);
  }

  /**
   * A conjunction or disjunction whose value is wanted. DuckDB computes all its parts of all rows,
   * so what may fail is computed only where the other parts do not decide.
   *
   * @param decided what the whole is as soon as one part is it
   */
  private String guarded(List<Expression> operands, String separator, boolean decided) {
    return guardedLevels(AskingOrder.levels(operands, failures::of), separator, decided);
  }

  private String guardedLevels(List<List<Expression>> levels, String separator, boolean decided) {
    String first = joined(levels.get(0), separator);
    return levels.size() == 1
        ? first
        : "("
            + first
            + separator
            + "CASE WHEN "
            + first
            + " IS DISTINCT FROM "
            + decided
            + " THEN "
            + guardedLevels(levels.subList(1, levels.size()), separator, decided)
            + " ELSE "
            + decided
            + " END)";
  }

  private String ofArithmetic(Arithmetic arithmetic) {
    DataType type = typer.typeOf(arithmetic).type();
    String left = of(arithmetic.left());
    String right = of(arithmetic.right());
    String symbol = " " + arithmetic.operator().symbol() + " ";
    if (type instanceof DecimalType decimal) {
      return arithmetic.operator() == Arithmetic.Operator.MULTIPLY
          ? SqlText.cast("(" + factor(arithmetic, decimal) + symbol + right + ")", decimal)
          : SqlText.cast(
              "(" + SqlText.cast(left, decimal) + symbol + SqlText.cast(right, decimal) + ")",
              decimal);
    }
    if (type == SimpleType.DOUBLE) {
      return "(" + left + symbol + right + ")";
    }
    // By their names: of operators DuckDB would move a constant to the other side of a comparison,
    // and what does not fit would be no error.
    return switch (arithmetic.operator()) {
      case ADD -> "add(" + left + ", " + right + ")";
      case SUBTRACT -> "subtract(" + left + ", " + right + ")";
      case MULTIPLY -> "multiply(" + left + ", " + right + ")";
      case DIVIDE -> unlessZero(arithmetic, left, right, "(" + left + " // " + right + ")");
      case REMAINDER -> unlessZero(arithmetic, left, right, "(" + left + " % " + right + ")");
    };
  }

  /** The left factor, in 128 bits when the product may need them. */
  private String factor(Arithmetic product, DecimalType type) {
    String left = of(product.left());
    DecimalType own = (DecimalType) typer.typeOf(product.left()).type();
    return type.precision() <= SHORT_DIGITS || own.precision() > SHORT_DIGITS
        ? left
        : SqlText.cast(left, new DecimalType(SHORT_DIGITS + 1, own.scale()));
  }

  /** DuckDB's quotient by zero is null, ours is an error unless null is divided. */
  private static String unlessZero(
      Arithmetic arithmetic, String dividend, String divisor, String quotient) {
    boolean isNumber =
        arithmetic.right() instanceof Literal literal
            && literal.value().map(value -> ((Number) value).longValue() != 0).orElse(true);
    return isNumber
        ? quotient
        : "(CASE WHEN "
            + dividend
            + " IS NOT NULL AND "
            + divisor
            + " = 0 THEN error('division by zero') ELSE "
            + quotient
            + " END)";
  }

  private String ofCall(Expression.Call call) {
    List<String> arguments = call.arguments().stream().map(this::of).toList();
    return switch (call.function()) {
      case QUOTIENT ->
          Quotients.sql(
              arguments.get(0),
              (DecimalType) typer.typeOf(call.arguments().get(0)).type(),
              arguments.get(1),
              (DecimalType) typer.typeOf(call.arguments().get(1)).type());
      case SUBSTRING -> "substring(" + String.join(", ", arguments) + ")";
      case CONCAT -> "(" + String.join(" || ", arguments) + ")";
      case ABS -> "abs(" + arguments.get(0) + ")";
      case CHAR_LENGTH -> "CAST(length(" + arguments.get(0) + ") AS INTEGER)";
      case POSITION -> "CAST(instr(" + arguments.get(1) + ", " + arguments.get(0) + ") AS INTEGER)";
      case TRIM -> "trim(" + String.join(", ", arguments) + ")";
      case TRIM_START -> "ltrim(" + String.join(", ", arguments) + ")";
      case TRIM_END -> "rtrim(" + String.join(", ", arguments) + ")";
      case FLOOR -> "floor(" + arguments.get(0) + ")";
      case CEIL -> "ceil(" + arguments.get(0) + ")";
    };
  }

  private String ofCase(Expression.Case choice) {
    StringBuilder sql = new StringBuilder("(CASE");
    for (Expression.Case.Branch branch : choice.branches()) {
      sql.append(" WHEN ").append(of(branch.condition()));
      sql.append(" THEN ").append(of(branch.result()));
    }
    choice.otherwise().ifPresent(otherwise -> sql.append(" ELSE ").append(of(otherwise)));
    return sql.append(" END)").toString();
  }

  private String ofDateAdd(Expression.DateAdd add) {
    String interval =
        "to_" + add.unit().name().toLowerCase(Locale.ROOT) + "s(" + add.amount() + ")";
    return SqlText.cast(of(add.value()) + " + " + interval, typer.typeOf(add).type());
  }

  /** The type in which values are compared: that of all, or the decimal that holds all. */
  private DataType common(List<Expression> operands) {
    DataType common = typer.typeOf(operands.get(0)).type();
    for (Expression operand : operands) {
      if (common instanceof DecimalType x
          && typer.typeOf(operand).type() instanceof DecimalType y) {
        int scale = Math.max(x.scale(), y.scale());
        int digits = Math.max(x.integerDigits(), y.integerDigits());
        common = new DecimalType(Math.min(DecimalType.MAX_PRECISION, digits + scale), scale);
      }
    }
    return common;
  }

  private String as(DataType type, Expression expression) {
    String sql = of(expression);
    return typer.typeOf(expression).type().equals(type) ? sql : SqlText.cast(sql, type);
  }

  private String joined(List<Expression> operands, String separator) {
    return operands.stream().map(this::of).collect(Collectors.joining(separator, "(", ")"));
  }
}
