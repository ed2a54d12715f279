// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.SimpleType;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;

/** Which types of fields are types of columns whose values become the same ones again. */
final class ColumnTypes {

  private ColumnTypes() {}

  /** The type of a column for a field; of a row whether it is there. */
  static DataType of(Schema.Field field) throws UnsaidStepException {
    return switch (field.getType().getTypeName()) {
      case BOOLEAN, ROW -> SimpleType.BOOLEAN;
      case INT32 -> SimpleType.INT32;
      case INT64 -> SimpleType.INT64;
      case DOUBLE -> SimpleType.DOUBLE;
      case STRING -> SimpleType.STRING;
      case LOGICAL_TYPE -> {
        if (!field.getType().isLogicalType(SqlTypes.DATE.getIdentifier())) {
          throw unsaid(field);
        }
        yield SimpleType.DATE;
      }
      default -> throw unsaid(field);
    };
  }

  /** The type of a field whose values are those of a column. */
  static FieldType fieldType(DataType type) {
    if (!(type instanceof SimpleType simple)) {
      return FieldType.DECIMAL.withNullable(true);
    }
    FieldType field =
        switch (simple) {
          case BOOLEAN -> FieldType.BOOLEAN;
          case INT32 -> FieldType.INT32;
          case INT64 -> FieldType.INT64;
          case DOUBLE -> FieldType.DOUBLE;
          case STRING -> FieldType.STRING;
          case DATE -> FieldType.logicalType(SqlTypes.DATE);
          case TIMESTAMP -> FieldType.DATETIME;
        };
    return field.withNullable(true);
  }

  private static UnsaidStepException unsaid(Schema.Field field) {
    return new UnsaidStepException(
        "the field " + field.getName() + " of type " + field.getType().getTypeName());
  }
}
