// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import dev.anemone.beam.sql.codegen.Decimals;
import dev.anemone.beam.sql.row.ExactSum;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.Schema.TypeName;

/**
 * What an aggregate function makes of a cell.
 *
 * @param function the function
 * @param cell index of its cell
 * @param type of the result
 */
record AggregateResult(Function function, int cell, FieldType type) implements Serializable {

  /** The functions. Their names are those of SQL; SUM0 is a SUM that is zero for no values. */
  enum Function {
    COUNT,
    SUM,
    SUM0,
    AVG,
    VAR_POP,
    VAR_SAMP,
    STDDEV_POP,
    STDDEV_SAMP,
    COVAR_POP,
    COVAR_SAMP,
    CORR,
    MIN,
    MAX,
    SINGLE_VALUE,
    /** A {@link BeamFunction}. */
    OTHER;

    /** Whether it is a variance, its root, a covariance, or a correlation. */
    boolean isOfSpread() {
      return switch (this) {
        case VAR_POP, STDDEV_POP, COVAR_POP, CORR -> true;
        default -> isOfSample();
      };
    }

    /** Whether it estimates what a sample is taken from, and so needs two values. */
    boolean isOfSample() {
      return switch (this) {
        case VAR_SAMP, STDDEV_SAMP, COVAR_SAMP -> true;
        default -> false;
      };
    }
  }

  /**
   * The result; null for NULL.
   *
   * @throws ArithmeticException if it does not fit into its type
   */
  Object of(Cell[] cells) {
    Cell kept = cells[cell];
    if (kept instanceof Cell.Exact exact) {
      return exact(exact.sum());
    }
    if (kept instanceof Cell.Floating floating) {
      return floating(floating);
    }
    if (kept instanceof Cell.Spread spread) {
      return spread(spread.moments());
    }
    if (kept instanceof Cell.Other other) {
      return other.value();
    }
    if (kept instanceof Cell.Only only) {
      return only.value();
    }
    return kept instanceof Cell.Count count ? (Object) count.count() : ((Cell.Extreme) kept).best();
  }

  private Object exact(ExactSum sum) {
    if (function == Function.COUNT) {
      return sum.count();
    }
    if (sum.count() == 0) {
      return function == Function.SUM0 ? converted(BigDecimal.ZERO) : null;
    }
    if (function != Function.AVG) {
      return converted(sum.sum());
    }
    BigDecimal average = Decimals.average(sum.sum(), sum.count());
    return switch (type.getTypeName()) {
      // The average of whole numbers is a whole number in Calcite's types, as a quotient is.
      case BYTE, INT16, INT32, INT64 -> converted(average.setScale(0, RoundingMode.DOWN));
      default -> converted(average);
    };
  }

  private Object floating(Cell.Floating sum) {
    if (function == Function.COUNT) {
      return sum.count();
    }
    if (sum.count() == 0) {
      return function == Function.SUM0 ? (Object) 0.0 : null;
    }
    return function == Function.AVG ? sum.sum() / sum.count() : sum.sum();
  }

  private Object spread(Moments moments) {
    long divisor = function.isOfSample() ? moments.count() - 1 : moments.count();
    if (divisor <= 0) {
      return null;
    }
    if (!moments.isFinite()) {
      return type.getTypeName() == TypeName.FLOAT ? (Object) Float.NaN : Double.NaN;
    }
    if (function == Function.CORR) {
      return moments.correlation();
    }
    BigDecimal variance = moments.covariance(divisor);
    return converted(
        switch (function) {
          case STDDEV_POP, STDDEV_SAMP -> variance.sqrt(MathContext.DECIMAL128);
          default -> variance;
        });
  }

  private Object converted(BigDecimal value) {
    try {
      return switch (type.getTypeName()) {
        case BYTE -> value.byteValueExact();
        case INT16 -> value.shortValueExact();
        case INT32 -> value.intValueExact();
        case INT64 -> value.longValueExact();
        case FLOAT -> value.floatValue();
        case DOUBLE -> value.doubleValue();
        default -> value;
      };
    } catch (ArithmeticException outOfRange) {
      ArithmeticException explained =
          new ArithmeticException(
              "The "
                  + function
                  + " "
                  + value.toPlainString()
                  + " is out of the range of its type "
                  + type.getTypeName()
                  + "; cast the argument to a wider type.");
      explained.initCause(outOfRange);
      throw explained;
    }
  }
}
