// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import dev.anemone.beam.sql.row.ValueOrder;
import java.math.BigDecimal;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.avatica.util.DateTimeUtils;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLiteral;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;

/**
 * Translates comparisons and computations. Whole numbers that overflow are an error, as the SQL
 * standard has it; decimals are exact, but for quotients (see {@link Decimals#divide}).
 */
final class Arithmetic {
  private static final String ORDER = ValueOrder.class.getName();

  private final Conversions conversions;

  Arithmetic(Conversions conversions) {
    this.conversions = conversions;
  }

  /** A comparison, after the wider of both types. */
  Term compare(SqlKind kind, Term left, Term right) throws UntranslatableException {
    JavaType type = common(left, right);
    Term first = conversions.widen(left, type);
    Term second = conversions.widen(right, type);
    String operator =
        switch (kind) {
          case EQUALS -> "==";
          case NOT_EQUALS -> "!=";
          case LESS_THAN -> "<";
          case LESS_THAN_OR_EQUAL -> "<=";
          case GREATER_THAN -> ">";
          case GREATER_THAN_OR_EQUAL -> ">=";
          default -> throw new UntranslatableException(kind.sql);
        };
    if (type == JavaType.BOOLEAN && kind != SqlKind.EQUALS && kind != SqlKind.NOT_EQUALS) {
      throw new UntranslatableException(kind.sql + " of BOOLEAN");
    }
    String java;
    if (type == JavaType.DOUBLE) {
      java = doubles(kind).formatted(first.value(), second.value());
    } else if (type.isPrimitive()) {
      java = first.value() + " " + operator + " " + second.value();
    } else if (type == JavaType.STRING && kind == SqlKind.EQUALS) {
      java = first.value() + ".equals(" + second.value() + ")";
    } else if (type == JavaType.STRING && kind == SqlKind.NOT_EQUALS) {
      java = "!" + first.value() + ".equals(" + second.value() + ")";
    } else if (type == JavaType.STRING) {
      java =
          ORDER + ".compareTexts(" + first.value() + ", " + second.value() + ") " + operator + " 0";
    } else {
      java = first.value() + ".compareTo(" + second.value() + ") " + operator + " 0";
    }
    return conversions.strict(JavaType.BOOLEAN, java, first, second);
  }

  /** Java has another order of doubles: there nothing is equal to NaN. */
  private static String doubles(SqlKind kind) throws UntranslatableException {
    return switch (kind) {
      case EQUALS -> ORDER + ".areEqual(%s, %s)";
      case NOT_EQUALS -> "!" + ORDER + ".areEqual(%s, %s)";
      case LESS_THAN -> ORDER + ".isLess(%s, %s)";
      case LESS_THAN_OR_EQUAL -> "!" + ORDER + ".isLess(%2$s, %1$s)";
      case GREATER_THAN -> ORDER + ".isLess(%2$s, %1$s)";
      case GREATER_THAN_OR_EQUAL -> "!" + ORDER + ".isLess(%s, %s)";
      default -> throw new UntranslatableException(kind.sql);
    };
  }

  /** The type in which two values are compared or computed with. */
  private static JavaType common(Term left, Term right) throws UntranslatableException {
    if (left.type() == right.type()) {
      return left.type();
    }
    if (isNumber(left) && isNumber(right)) {
      // A DOUBLE has the larger range, though it has fewer digits.
      boolean approximate = left.type() == JavaType.DOUBLE || right.type() == JavaType.DOUBLE;
      return approximate
          ? JavaType.DOUBLE
          : left.type().compareTo(right.type()) > 0 ? left.type() : right.type();
    }
    throw new UntranslatableException(left.type() + " with " + right.type());
  }

  private static boolean isNumber(Term term) {
    return switch (term.type()) {
      case INT, LONG, DOUBLE, DECIMAL -> true;
      case BOOLEAN, STRING -> false;
    };
  }

  /** A sum, difference, product, quotient or remainder. */
  Term compute(SqlKind kind, Term left, Term right, RelDataType sqlType)
      throws UntranslatableException {
    JavaType type = JavaType.of(sqlType);
    Term first = conversions.widen(left, type);
    Term second = conversions.widen(right, type);
    if (type == JavaType.DECIMAL
        && first.isConstant()
        && second.isConstant()
        && kind != SqlKind.DIVIDE
        && kind != SqlKind.MOD) {
      return conversions.number(type, constant(kind, first.number(), second.number()));
    }
    String java =
        switch (type) {
          case INT, LONG -> ranged(whole(kind), sqlType);
          case DOUBLE -> "%s " + sign(kind) + " %s";
          case DECIMAL -> decimal(kind);
          case BOOLEAN, STRING -> throw new UntranslatableException(kind.sql + " of " + type);
        };
    return conversions.strict(type, java.formatted(first.value(), second.value()), first, second);
  }

  private static BigDecimal constant(SqlKind kind, BigDecimal left, BigDecimal right)
      throws UntranslatableException {
    return switch (kind) {
      case PLUS -> left.add(right);
      case MINUS -> left.subtract(right);
      case TIMES -> left.multiply(right);
      default -> throw new UntranslatableException(kind.sql);
    };
  }

  private static String whole(SqlKind kind) throws UntranslatableException {
    return switch (kind) {
      case PLUS -> "Math.addExact(%s, %s)";
      case MINUS -> "Math.subtractExact(%s, %s)";
      case TIMES -> "Math.multiplyExact(%s, %s)";
      case DIVIDE -> WholeNumbers.class.getName() + ".divide(%s, %s)";
      case MOD -> "%s %% %s";
      default -> throw new UntranslatableException(kind.sql);
    };
  }

  private static String decimal(SqlKind kind) throws UntranslatableException {
    return switch (kind) {
      case PLUS -> "%s.add(%s)";
      case MINUS -> "%s.subtract(%s)";
      case TIMES -> "%s.multiply(%s)";
      case DIVIDE -> Decimals.class.getName() + ".divide(%s, %s)";
      case MOD -> "%s.remainder(%s)";
      default -> throw new UntranslatableException(kind.sql);
    };
  }

  private static String sign(SqlKind kind) throws UntranslatableException {
    return switch (kind) {
      case PLUS -> "+";
      case MINUS -> "-";
      case TIMES -> "*";
      case DIVIDE -> "/";
      case MOD -> "%%";
      default -> throw new UntranslatableException(kind.sql);
    };
  }

  /** Java computes with the small types as with an {@code int}. */
  private static String ranged(String java, RelDataType sqlType) {
    return switch (sqlType.getSqlTypeName()) {
      case TINYINT -> WholeNumbers.class.getName() + ".tinyint(" + java + ")";
      case SMALLINT -> WholeNumbers.class.getName() + ".smallint(" + java + ")";
      default -> java;
    };
  }

  /** The value without its sign. */
  Term absolute(Term term, RelDataType sqlType) throws UntranslatableException {
    String java =
        switch (term.type()) {
          case INT, LONG -> ranged("Math.absExact(%s)", sqlType);
          case DOUBLE -> "Math.abs(%s)";
          case DECIMAL -> "%s.abs()";
          case BOOLEAN, STRING -> throw new UntranslatableException("ABS of " + term.type());
        };
    return conversions.strict(term.type(), java.formatted(term.value()), term);
  }

  /** The value with the other sign. */
  Term negate(Term term, RelDataType sqlType) throws UntranslatableException {
    if (term.isConstant() && term.type() == JavaType.DECIMAL) {
      return conversions.number(term.type(), term.number().negate());
    }
    String java =
        switch (term.type()) {
          case INT, LONG -> ranged("Math.negateExact(%s)", sqlType);
          case DOUBLE -> "-%s";
          case DECIMAL -> "%s.negate()";
          case BOOLEAN, STRING -> throw new UntranslatableException("- of " + term.type());
        };
    return conversions.strict(term.type(), java.formatted(term.value()), term);
  }

  /** A date or timestamp plus or minus an interval. */
  Term moveTime(RexCall call, Term time, RexLiteral interval) throws UntranslatableException {
    SqlTypeName type = call.getOperands().get(0).getType().getSqlTypeName();
    boolean known =
        call.getType().getSqlTypeName() == type
            && (type == SqlTypeName.DATE || type == SqlTypeName.TIMESTAMP)
            && (call.getKind() == SqlKind.PLUS || call.getKind() == SqlKind.MINUS);
    if (!known) {
      throw new UntranslatableException(call.toString());
    }
    BigDecimal amount = interval.getValueAs(BigDecimal.class);
    long distance = (call.getKind() == SqlKind.MINUS ? amount.negate() : amount).longValueExact();
    if (SqlTypeName.YEAR_INTERVAL_TYPES.contains(interval.getType().getSqlTypeName())) {
      return addMonths(time, Math.toIntExact(distance));
    }
    if (!SqlTypeName.DAY_INTERVAL_TYPES.contains(interval.getType().getSqlTypeName())) {
      throw new UntranslatableException(call.toString());
    }
    if (type == SqlTypeName.TIMESTAMP) {
      return conversions.strict(
          JavaType.LONG, "Math.addExact(" + time.value() + ", " + distance + "L)", time);
    }
    if (distance % Conversions.MILLIS_PER_DAY != 0) {
      throw new UntranslatableException(call.toString());
    }
    int days = Math.toIntExact(distance / Conversions.MILLIS_PER_DAY);
    return time.isConstant()
        ? conversions.date(Math.addExact(time.number().intValueExact(), days))
        : conversions.strict(
            JavaType.INT, "Math.addExact(" + time.value() + ", " + days + ")", time);
  }

  /** A date so many days later or earlier. */
  Term moveDays(SqlKind kind, Term date, Term days) throws UntranslatableException {
    String method =
        switch (kind) {
          case PLUS -> "addExact";
          case MINUS -> "subtractExact";
          default -> throw new UntranslatableException(kind.sql + " of a date");
        };
    return conversions.strict(
        JavaType.INT,
        "Math.toIntExact(Math."
            + method
            + "((long) "
            + date.value()
            + ", (long) "
            + days.value()
            + "))",
        date,
        days);
  }

  private Term addMonths(Term time, int months) throws UntranslatableException {
    return time.isConstant()
        ? conversions.date(DateTimeUtils.addMonths(time.number().intValueExact(), months))
        : conversions.strict(
            time.type(),
            DateTimeUtils.class.getName() + ".addMonths(" + time.value() + ", " + months + ")",
            time);
  }

  /** A part of a date or timestamp, as a whole number. */
  Term extract(TimeUnitRange unit, Term time, RelDataType from, RelDataType sqlType)
      throws UntranslatableException {
    boolean known =
        switch (unit) {
          case YEAR, QUARTER, MONTH, DAY -> true;
          default -> false;
        };
    if (!known || JavaType.of(sqlType) != JavaType.LONG) {
      throw new UntranslatableException("EXTRACT(" + unit + ") as " + sqlType);
    }
    String day =
        switch (from.getSqlTypeName()) {
          case DATE -> time.value();
          case TIMESTAMP ->
              "Math.floorDiv(" + time.value() + ", " + Conversions.MILLIS_PER_DAY + "L)";
          default -> throw new UntranslatableException("EXTRACT from " + from);
        };
    String range = TimeUnitRange.class.getName() + "." + unit.name();
    return conversions.strict(
        JavaType.LONG,
        DateTimeUtils.class.getName() + ".unixDateExtract(" + range + ", (long) " + day + ")",
        time);
  }
}
