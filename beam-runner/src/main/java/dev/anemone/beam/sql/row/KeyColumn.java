// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.row;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.Schema.TypeName;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Instant;
import org.joda.time.ReadableInstant;

/** What a column's values must be turned into before they are compared by {@code equals}. */
sealed interface KeyColumn extends Serializable {

  /** The form of a value, which is not null, that is the same for all equal values. */
  Object normalized(Object value);

  /** As {@link #normalized} for a part of a value, which may be null. */
  private Object part(Object value) {
    return value == null ? null : normalized(value);
  }

  /** Values without parts. */
  enum Single implements KeyColumn {
    /** Equal values are equal objects, or have equal bytes. */
    PLAIN {
      @Override
      public Object normalized(Object value) {
        return value;
      }
    },

    /** 1.50 is 1.5. Whole numbers get no exponent: 1E+2 is 100. */
    DECIMAL {
      @Override
      public Object normalized(Object value) {
        BigDecimal stripped = ((BigDecimal) value).stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
      }
    },

    /** Zero has one sign. */
    FLOAT {
      @Override
      public Object normalized(Object value) {
        return (Float) value + 0.0f;
      }
    },

    /** Zero has one sign. */
    DOUBLE {
      @Override
      public Object normalized(Object value) {
        return (Double) value + 0.0;
      }
    },

    /** Joda-Time has several classes for a point in time. */
    TIMESTAMP {
      @Override
      public Object normalized(Object value) {
        return value instanceof Instant ? value : ((ReadableInstant) value).toInstant();
      }
    }
  }

  /** Arrays, which may come as any list. */
  record Items(KeyColumn items) implements KeyColumn {
    @Override
    public Object normalized(Object value) {
      List<Object> normalized = new ArrayList<>();
      for (Object item : (Iterable<?>) value) {
        normalized.add(items.part(item));
      }
      return normalized;
    }
  }

  /** Maps: those with the same entries are coded in the same order. */
  record Entries(KeyColumn keys, KeyColumn values) implements KeyColumn {
    @Override
    public Object normalized(Object value) {
      Map<Object, Object> normalized = new TreeMap<>();
      ((Map<?, ?>) value)
          .forEach((key, entry) -> normalized.put(keys.normalized(key), values.part(entry)));
      return normalized;
    }
  }

  /** Rows. */
  record Fields(Schema schema, List<KeyColumn> fields) implements KeyColumn {
    @Override
    public Object normalized(Object value) {
      List<Object> normalized = new ArrayList<>();
      for (int i = 0; i < fields.size(); i++) {
        normalized.add(fields.get(i).part(((Row) value).getValue(i)));
      }
      return Row.withSchema(schema).attachValues(normalized);
    }
  }

  /** Whether rows can be grouped by columns of a type. */
  static boolean supports(FieldType type) {
    return switch (type.getTypeName()) {
      case BYTE, INT16, INT32, INT64, DECIMAL, FLOAT, DOUBLE -> true;
      case STRING, BYTES, BOOLEAN, DATETIME -> true;
      case LOGICAL_TYPE -> isJavaTime(type);
      case ARRAY, ITERABLE -> isPart(type.getCollectionElementType());
      case MAP -> isKey(type.getMapKeyType()) && isPart(type.getMapValueType());
      case ROW ->
          type.getRowSchema().getFields().stream().allMatch(field -> supports(field.getType()));
    };
  }

  /** Lists and maps compare bytes as objects; rows do not. */
  private static boolean isPart(FieldType type) {
    return type.getTypeName() != TypeName.BYTES && supports(type);
  }

  private static boolean isKey(FieldType type) {
    return isPart(type) && !type.getTypeName().isCompositeType() && !isCollection(type);
  }

  private static boolean isCollection(FieldType type) {
    return type.getTypeName().isCollectionType() || type.getTypeName().isMapType();
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
      case DECIMAL -> Single.DECIMAL;
      case FLOAT -> Single.FLOAT;
      case DOUBLE -> Single.DOUBLE;
      case DATETIME -> Single.TIMESTAMP;
      case ARRAY, ITERABLE -> new Items(of(type.getCollectionElementType()));
      case MAP -> new Entries(of(type.getMapKeyType()), of(type.getMapValueType()));
      case ROW ->
          new Fields(
              type.getRowSchema(),
              List.copyOf(
                  type.getRowSchema().getFields().stream()
                      .map(field -> of(field.getType()))
                      .toList()));
      default -> Single.PLAIN;
    };
  }
}
