// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/**
 * Turns the values of a Parquet column into those of a column of a table. Values that the file
 * keeps in a dictionary are made once per dictionary, and shared. Not thread-safe.
 */
final class ParquetColumn extends PrimitiveConverter {
  private final PrimitiveTypeName stored;
  private final Values values;
  private Object[] dictionary;
  private Object value;

  private ParquetColumn(PrimitiveTypeName stored, Values values) {
    this.stored = stored;
    this.values = values;
  }

  /**
   * A converter.
   *
   * @param column of the file
   * @param field of the table
   * @throws IllegalArgumentException if the column's type cannot be read as the field's; the
   *     message says both
   */
  static ParquetColumn of(Type column, Field field) {
    if (column.isPrimitive() && !column.isRepetition(Type.Repetition.REPEATED)) {
      PrimitiveType type = column.asPrimitiveType();
      Values values = values(type.getPrimitiveTypeName(), type.getLogicalTypeAnnotation(), field);
      if (values != null) {
        return new ParquetColumn(type.getPrimitiveTypeName(), values);
      }
    }
    throw new IllegalArgumentException(
        "its column '"
            + column
            + "' cannot be read as "
            + (isDate(field) ? "DATE" : field.getType().getTypeName())
            + ".");
  }

  private static boolean isDate(Field field) {
    return field.getType().isLogicalType(SqlTypes.DATE.getIdentifier());
  }

  /** How values are made; null if the column is of another kind than the field. */
  private static Values values(PrimitiveTypeName stored, LogicalTypeAnnotation kind, Field field) {
    boolean integer =
        (stored == PrimitiveTypeName.INT32 || stored == PrimitiveTypeName.INT64)
            && (kind == null || kind instanceof IntLogicalTypeAnnotation);
    if (isDate(field)) {
      return kind instanceof DateLogicalTypeAnnotation ? new Dates() : null;
    }
    return switch (field.getType().getTypeName()) {
      case INT32 -> integer ? new Ints() : null;
      case INT64 -> integer ? new Longs() : null;
      case DECIMAL -> {
        if (kind instanceof DecimalLogicalTypeAnnotation decimal) {
          yield new Decimals(decimal.getScale());
        }
        yield integer ? new Decimals(0) : stored == PrimitiveTypeName.DOUBLE ? new Money() : null;
      }
      case STRING ->
          stored == PrimitiveTypeName.BINARY
                  && (kind == null || kind instanceof StringLogicalTypeAnnotation)
              ? new Strings()
              : null;
      default -> null;
    };
  }

  /** Returns the value that was added last, and forgets it; null if there was none. */
  Object take() {
    Object taken = value;
    value = null;
    return taken;
  }

  @Override
  public boolean hasDictionarySupport() {
    return true;
  }

  @Override
  public void setDictionary(Dictionary entries) {
    dictionary = new Object[entries.getMaxId() + 1];
    for (int id = 0; id < dictionary.length; id++) {
      dictionary[id] =
          switch (stored) {
            case INT32 -> values.of(entries.decodeToInt(id));
            case INT64 -> values.of(entries.decodeToLong(id));
            case DOUBLE -> values.of(entries.decodeToDouble(id));
            default -> values.of(entries.decodeToBinary(id));
          };
    }
  }

  @Override
  public void addValueFromDictionary(int id) {
    value = dictionary[id];
  }

  @Override
  public void addInt(int number) {
    value = values.of((long) number);
  }

  @Override
  public void addLong(long number) {
    value = values.of(number);
  }

  @Override
  public void addDouble(double number) {
    value = values.of(number);
  }

  @Override
  public void addBinary(Binary bytes) {
    value = values.of(bytes);
  }

  /** Makes values of what a file stores. */
  private sealed interface Values {
    default Object of(long number) {
      throw new IllegalStateException(this + " is not made of an integer");
    }

    default Object of(double number) {
      throw new IllegalStateException(this + " is not made of a floating-point number");
    }

    default Object of(Binary bytes) {
      throw new IllegalStateException(this + " is not made of bytes");
    }
  }

  private record Ints() implements Values {
    @Override
    public Object of(long number) {
      return Math.toIntExact(number);
    }
  }

  private record Longs() implements Values {
    @Override
    public Object of(long number) {
      return number;
    }
  }

  private record Dates() implements Values {
    @Override
    public Object of(long epochDay) {
      return LocalDate.ofEpochDay(epochDay);
    }
  }

  private record Strings() implements Values {
    @Override
    public Object of(Binary bytes) {
      return bytes.toStringUsingUTF8();
    }
  }

  private record Decimals(int scale) implements Values {
    @Override
    public Object of(long unscaled) {
      return BigDecimal.valueOf(unscaled, scale);
    }

    @Override
    public Object of(Binary unscaled) {
      return new BigDecimal(new BigInteger(unscaled.getBytesUnsafe()), scale);
    }
  }

  /**
   * Amounts of writers that have no decimals: those of the TPC have two digits behind the point.
   */
  private record Money() implements Values {
    @Override
    public Object of(double amount) {
      return BigDecimal.valueOf(Math.round(amount * 100), 2);
    }
  }
}
