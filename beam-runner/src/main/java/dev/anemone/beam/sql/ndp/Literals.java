// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Expression.DateAdd.Unit;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.SimpleType;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLiteral;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.DateString;

/** Constants of the planner, and dates that are moved by one. */
final class Literals {

  private static final long MILLIS_PER_DAY = TimeUnit.DAYS.toMillis(1);
  private static final long MILLIS_PER_SECOND = TimeUnit.SECONDS.toMillis(1);
  private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private Literals() {}

  static TypedExpression of(RexLiteral literal) throws UnsupportedExpressionException {
    SqlTypeName type = literal.getType().getSqlTypeName();
    if (literal.isNull()) {
      // Takes the type of what it meets.
      return TypedExpression.of(Literal.nullOf(SimpleType.BOOLEAN));
    }
    return TypedExpression.of(
        switch (type) {
          case BOOLEAN -> Literal.of(RexLiteral.booleanValue(literal));
          case INTEGER -> Literal.of(literal.getValueAs(BigDecimal.class).intValueExact());
          case BIGINT -> Literal.of(literal.getValueAs(BigDecimal.class).longValueExact());
          case DECIMAL -> Literal.of(literal.getValueAs(BigDecimal.class));
          case DOUBLE -> Literal.of(literal.getValueAs(BigDecimal.class).doubleValue());
          case CHAR, VARCHAR -> Literal.of(literal.getValueAs(String.class));
          case DATE -> Literal.of(LocalDate.ofEpochDay(literal.getValueAs(Integer.class)));
          case TIMESTAMP ->
              Literal.of(SimpleType.TIMESTAMP, timestamp(literal.getValueAs(Long.class)));
          default -> throw new UnsupportedExpressionException(literal.toString());
        });
  }

  private static LocalDateTime timestamp(long millis) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(millis, MILLIS_PER_SECOND),
        (int) (Math.floorMod(millis, MILLIS_PER_SECOND) * NANOS_PER_MILLI),
        ZoneOffset.UTC);
  }

  static boolean isText(RexLiteral literal) {
    return !literal.isNull() && SqlTypeName.CHAR_TYPES.contains(literal.getType().getSqlTypeName());
  }

  /** A text as a date, or as a text of another type. */
  static TypedExpression castText(RexLiteral literal, RelDataType to)
      throws UnsupportedExpressionException {
    String text = literal.getValueAs(String.class);
    if (to.getSqlTypeName() == SqlTypeName.DATE) {
      try {
        return TypedExpression.of(Literal.of(LocalDate.parse(new DateString(text).toString())));
      } catch (IllegalArgumentException | DateTimeException notADate) {
        throw new UnsupportedExpressionException(literal + " as a date", notADate);
      }
    }
    if (SqlRows.keepsText(literal.getType(), to)) {
      return TypedExpression.of(Literal.of(text));
    }
    throw new UnsupportedExpressionException(literal + " as " + to);
  }

  /** A date or timestamp plus or minus an interval. */
  static TypedExpression moved(TypedExpression time, RexCall call)
      throws UnsupportedExpressionException {
    SqlTypeName type = call.getOperands().get(0).getType().getSqlTypeName();
    if (!(call.getOperands().get(1) instanceof RexLiteral interval)
        || interval.isNull()
        || call.getType().getSqlTypeName() != type
        || (call.getKind() != SqlKind.PLUS && call.getKind() != SqlKind.MINUS)) {
      throw new UnsupportedExpressionException(call.toString());
    }
    SqlTypeName unit = interval.getType().getSqlTypeName();
    long amount = interval.getValueAs(BigDecimal.class).longValueExact();
    long distance = call.getKind() == SqlKind.MINUS ? -amount : amount;
    if (SqlTypeName.YEAR_INTERVAL_TYPES.contains(unit)) {
      return moved(time, distance, Unit.MONTH);
    }
    if (SqlTypeName.DAY_INTERVAL_TYPES.contains(unit) && distance % MILLIS_PER_DAY == 0) {
      return moved(time, distance / MILLIS_PER_DAY, Unit.DAY);
    }
    if (SqlTypeName.DAY_INTERVAL_TYPES.contains(unit)
        && type == SqlTypeName.TIMESTAMP
        && distance % MILLIS_PER_SECOND == 0) {
      return moved(time, distance / MILLIS_PER_SECOND, Unit.SECOND);
    }
    throw new UnsupportedExpressionException(call.toString());
  }

  private static TypedExpression moved(TypedExpression time, long distance, Unit unit) {
    return new TypedExpression(
        new Expression.DateAdd(time.expression(), Math.toIntExact(distance), unit), time.type());
  }
}
