// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.row;

import java.math.BigDecimal;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.joda.time.Instant;
import org.joda.time.ReadableInstant;

/** What a column's values must be turned into before they are compared by {@code equals}. */
enum KeyColumn {
  /** Equal values are equal objects, or have equal bytes. */
  PLAIN {
    @Override
    Object normalized(Object value) {
      return value;
    }
  },

  /** 1.50 is 1.5. Whole numbers get no exponent: 1E+2 is 100. */
  DECIMAL {
    @Override
    Object normalized(Object value) {
      BigDecimal stripped = ((BigDecimal) value).stripTrailingZeros();
      return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }
  },

  /** Zero has one sign. */
  FLOAT {
    @Override
    Object normalized(Object value) {
      return (Float) value + 0.0f;
    }
  },

  /** Zero has one sign. */
  DOUBLE {
    @Override
    Object normalized(Object value) {
      return (Double) value + 0.0;
    }
  },

  /** Joda-Time has several classes for a point in time. */
  TIMESTAMP {
    @Override
    Object normalized(Object value) {
      return value instanceof Instant ? value : ((ReadableInstant) value).toInstant();
    }
  };

  /** The form of a value, which is not null, that is the same for all equal values. */
  abstract Object normalized(Object value);

  /** Whether rows can be grouped by columns of a type. */
  static boolean supports(FieldType type) {
    return switch (type.getTypeName()) {
      case BYTE, INT16, INT32, INT64, DECIMAL, FLOAT, DOUBLE -> true;
      case STRING, BYTES, BOOLEAN, DATETIME -> true;
      case LOGICAL_TYPE -> isJavaTime(type);
      default -> false;
    };
  }

  private static boolean isJavaTime(FieldType type) {
    return type.isLogicalType(SqlTypes.DATE.getIdentifier())
        || type.isLogicalType(SqlTypes.TIME.getIdentifier())
        || type.isLogicalType(SqlTypes.DATETIME.getIdentifier());
  }

  /**
   * What columns of a type need.
   *
   * @throws IllegalArgumentException if rows cannot be grouped by them
   */
  static KeyColumn of(FieldType type) {
    if (!supports(type)) {
      throw new IllegalArgumentException("Rows cannot be grouped by a column of type " + type);
    }
    return switch (type.getTypeName()) {
      case DECIMAL -> DECIMAL;
      case FLOAT -> FLOAT;
      case DOUBLE -> DOUBLE;
      case DATETIME -> TIMESTAMP;
      default -> PLAIN;
    };
  }
}
