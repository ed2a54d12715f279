// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** How rows lie in batches of Arrow. */
public final class ArrowTypes {

  private static final int INT_BITS = 32;
  private static final int LONG_BITS = 64;
  private static final int DECIMAL_BITS = 128;

  private ArrowTypes() {}

  /**
   * The schema of batches of such rows. Every field may hold null there: what a table declares is
   * not checked for every value.
   */
  public static Schema schemaOf(RowType row) {
    return new Schema(
        row.fields().stream()
            .map(
                field ->
                    new Field(field.name(), FieldType.nullable(typeOf(field.type().type())), null))
            .toList());
  }

  static ArrowType typeOf(DataType type) {
    if (type instanceof DecimalType decimal) {
      return new ArrowType.Decimal(decimal.precision(), decimal.scale(), DECIMAL_BITS);
    }
    return switch ((SimpleType) type) {
      case BOOLEAN -> ArrowType.Bool.INSTANCE;
      case INT32 -> new ArrowType.Int(INT_BITS, true);
      case INT64 -> new ArrowType.Int(LONG_BITS, true);
      case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case DATE -> new ArrowType.Date(DateUnit.DAY);
      case TIMESTAMP -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, null);
      case STRING -> ArrowType.Utf8.INSTANCE;
    };
  }
}
