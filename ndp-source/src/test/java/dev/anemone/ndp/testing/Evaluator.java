// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.testing;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Expression.Arithmetic;
import dev.anemone.ir.relational.ExpressionTyper;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.rows.ValueOrder;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Expressions by the book: one value at a time, with the JDK's own arithmetic. */
final class Evaluator {

  private final RowType row;
  private final ExpressionTyper typer;

  Evaluator(RowType row) {
    this.row = row;
    this.typer = new ExpressionTyper(row);
  }

  /** The value over a row. */
  Object of(Expression expression, List<Object> values) {
    if (expression instanceof Expression.Column column) {
      return values.get(row.indexOf(column.name()).orElseThrow());
    } else if (expression instanceof Literal literal) {
      return literal.value().orElse(null);
    } else if (expression instanceof Expression.And and) {
      return connected(and.operands(), values, false);
    } else if (expression instanceof Expression.Or or) {
      return connected(or.operands(), values, true);
    } else if (expression instanceof Expression.IsNull isNull) {
      return of(isNull.value(), values) == null;
    } else if (expression instanceof Expression.Case choice) {
      for (Expression.Case.Branch branch : choice.branches()) {
        if (Boolean.TRUE.equals(of(branch.condition(), values))) {
          return of(branch.result(), values);
        }
      }
      return choice.otherwise().map(otherwise -> of(otherwise, values)).orElse(null);
    } else if (expression instanceof Expression.Between between) {
      Object value = of(between.value(), values);
      Object low = of(between.low(), values);
      Object high = of(between.high(), values);
      return and(
          (value == null || low == null) ? null : ValueOrder.INSTANCE.compare(value, low) >= 0,
          (value == null || high == null) ? null : ValueOrder.INSTANCE.compare(value, high) <= 0);
    }
    List<Object> operands =
        expression.children().stream()
            .map(child -> of(child, values))
            .collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
    return operands.contains(null) ? null : ofPresent(expression, operands);
  }

  private Object ofPresent(Expression expression, List<Object> operands) {
    Object first = operands.get(0);
    if (expression instanceof Expression.Comparison comparison) {
      int order = ValueOrder.INSTANCE.compare(first, operands.get(1));
      return switch (comparison.relation()) {
        case EQUAL -> order == 0;
        case NOT_EQUAL -> order != 0;
        case LESS -> order < 0;
        case LESS_OR_EQUAL -> order <= 0;
        case GREATER -> order > 0;
        case GREATER_OR_EQUAL -> order >= 0;
      };
    } else if (expression instanceof Arithmetic arithmetic) {
      return arithmetic(arithmetic, first, operands.get(1));
    } else if (expression instanceof Expression.Not) {
      return !(Boolean) first;
    } else if (expression instanceof Expression.In) {
      return operands.subList(1, operands.size()).stream()
          .anyMatch(literal -> ValueOrder.INSTANCE.compare(first, literal) == 0);
    } else if (expression instanceof Expression.Like like) {
      return Pattern.compile(regex(like), Pattern.DOTALL).matcher((String) first).matches();
    } else if (expression instanceof Expression.DateAdd add) {
      return ((Temporal) first).plus(add.amount(), ChronoUnit.valueOf(add.unit().name() + "S"));
    } else if (expression instanceof Expression.DaysBetween) {
      return ChronoUnit.DAYS.between((LocalDate) first, (LocalDate) operands.get(1));
    } else if (expression instanceof Expression.Extract extract) {
      LocalDate date = first instanceof LocalDateTime time ? time.toLocalDate() : (LocalDate) first;
      return switch (extract.part()) {
        case YEAR -> (long) date.getYear();
        case MONTH -> (long) date.getMonthValue();
        case DAY -> (long) date.getDayOfMonth();
      };
    }
    return cast(first, ((Expression.Cast) expression).type());
  }

  private Object arithmetic(Arithmetic arithmetic, Object left, Object right) {
    Arithmetic.Operator operator = arithmetic.operator();
    if (left instanceof BigDecimal x && right instanceof BigDecimal y) {
      BigDecimal exact =
          switch (operator) {
            case ADD -> x.add(y);
            case SUBTRACT -> x.subtract(y);
            default -> x.multiply(y);
          };
      return cast(exact, typer.typeOf(arithmetic).type());
    }
    if (left instanceof Double x && right instanceof Double y) {
      return switch (operator) {
        case ADD -> x + y;
        case SUBTRACT -> x - y;
        case MULTIPLY -> x * y;
        default -> x / y;
      };
    }
    long x = ((Number) left).longValue();
    long y = ((Number) right).longValue();
    long result =
        switch (operator) {
          case ADD -> Math.addExact(x, y);
          case SUBTRACT -> Math.subtractExact(x, y);
          case MULTIPLY -> Math.multiplyExact(x, y);
          case DIVIDE -> x / y;
          case REMAINDER -> x % y;
        };
    return left instanceof Integer ? (Object) Math.toIntExact(result) : (Object) result;
  }

  private static Object cast(Object value, DataType type) {
    if (type instanceof DecimalType decimal) {
      BigDecimal number =
          value instanceof BigDecimal given
              ? given
              : BigDecimal.valueOf(((Number) value).longValue());
      BigDecimal rounded = number.setScale(decimal.scale(), RoundingMode.HALF_UP);
      if (rounded.precision() > decimal.precision()) {
        throw new ArithmeticException(number + " does not fit into a " + type);
      }
      return rounded;
    }
    return switch ((SimpleType) type) {
      case INT32 -> Math.toIntExact(((Number) value).longValue());
      case INT64 -> ((Number) value).longValue();
      case DOUBLE -> ((Number) value).doubleValue();
      case TIMESTAMP -> value instanceof LocalDate date ? date.atStartOfDay() : value;
      case DATE -> value instanceof LocalDateTime time ? time.toLocalDate() : value;
      case STRING -> value instanceof BigDecimal number ? number.toPlainString() : value.toString();
      case BOOLEAN -> value;
    };
  }

  private Boolean connected(List<Expression> operands, List<Object> values, boolean deciding) {
    Boolean result = !deciding;
    for (Expression operand : operands) {
      Boolean next = (Boolean) of(operand, values);
      if (next == null) {
        result = null;
      } else if (next == deciding) {
        return deciding;
      }
    }
    return result;
  }

  private static Boolean and(Boolean left, Boolean right) {
    if (Boolean.FALSE.equals(left) || Boolean.FALSE.equals(right)) {
      return false;
    }
    return (left == null || right == null) ? null : Boolean.TRUE;
  }

  private static String regex(Expression.Like like) {
    StringBuilder regex = new StringBuilder();
    int[] pattern = like.pattern().codePoints().toArray();
    for (int i = 0; i < pattern.length; i++) {
      if (like.escape().isPresent() && pattern[i] == like.escape().get()) {
        i++;
        regex.append(Pattern.quote(Character.toString(pattern[i])));
      } else if (pattern[i] == '%') {
        regex.append(".*");
      } else if (pattern[i] == '_') {
        regex.append('.');
      } else {
        regex.append(Pattern.quote(Character.toString(pattern[i])));
      }
    }
    return regex.toString();
  }
}
