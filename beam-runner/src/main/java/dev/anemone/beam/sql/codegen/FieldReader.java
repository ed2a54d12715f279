// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import java.util.function.IntFunction;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;

/** Writes the code that takes a field out of a row. Fields that are not used are not touched. */
final class FieldReader {
  /** The name of the row in generated code. */
  static final String ROW = "row";

  /** What the generated code calls two rows. */
  static final String LEFT = "left";

  static final String RIGHT = "right";

  private final Schema schema;

  /** Java that gets the field of an index. */
  private final IntFunction<String> values;

  /** A reader of rows of a schema. */
  FieldReader(Schema schema) {
    this(schema, index -> ROW + ".getValue(" + index + ")");
  }

  private FieldReader(Schema schema, IntFunction<String> values) {
    this.schema = schema;
    this.values = values;
  }

  /**
   * A reader of two rows.
   *
   * @param schema of the fields of both
   * @param leftFields how many of them are in {@link #LEFT}; the others are in {@link #RIGHT}
   */
  static FieldReader ofTwo(Schema schema, int leftFields) {
    return new FieldReader(
        schema,
        index ->
            index < leftFields
                ? LEFT + ".getValue(" + index + ")"
                : RIGHT + ".getValue(" + (index - leftFields) + ")");
  }

  /** The field as it is in the row, as a Java object. */
  String object(RexInputRef ref) {
    return values.apply(ref.getIndex());
  }

  /**
   * The field as a term.
   *
   * @throws UntranslatableException if its type is unknown
   */
  Term read(RexInputRef ref, JavaBlock block) throws UntranslatableException {
    RelDataType sqlType = ref.getType();
    JavaType type = JavaType.of(sqlType);
    String unboxed = unboxing(type, sqlType.getSqlTypeName());
    requireKnown(ref, type);
    boolean nullable = schema.getField(ref.getIndex()).getType().getNullable();
    if (!type.isPrimitive()) {
      String value = block.variable(type.keyword(), "(" + type.keyword() + ") " + object(ref));
      // Of no rows the sum that an average of ROLLUP is made of is null, whatever its type says.
      boolean mayBeNull = nullable || sqlType.getSqlTypeName() == SqlTypeName.DECIMAL;
      return Term.of(type, value, mayBeNull ? "(" + value + " == null)" : Term.NEVER);
    }
    String value = block.variable("Object", object(ref));
    if (!nullable) {
      return Term.notNull(type, block.variable(type.keyword(), unboxed.formatted(value)));
    }
    String isNull = block.variable("boolean", value + " == null");
    return Term.of(
        type,
        block.variable(
            type.keyword(), isNull + " ? " + type.nullValue() + " : " + unboxed.formatted(value)),
        isNull);
  }

  /** Java that unboxes a value that is not null, with a place for it. */
  private static String unboxing(JavaType type, SqlTypeName sqlType) {
    return switch (type) {
      case BOOLEAN -> "((Boolean) %s).booleanValue()";
      case INT ->
          sqlType == SqlTypeName.DATE
              ? "(int) ((java.time.LocalDate) %s).toEpochDay()"
              : "((Number) %s).intValue()";
      case LONG ->
          sqlType == SqlTypeName.TIMESTAMP
              ? Times.class.getName() + ".millis(%s)"
              : "((Long) %s).longValue()";
      case DOUBLE -> "((Double) %s).doubleValue()";
      case DECIMAL, STRING -> "%s";
    };
  }

  /** A table may have a column of a type of its own that is only similar to the one in SQL. */
  private void requireKnown(RexInputRef ref, JavaType type) throws UntranslatableException {
    FieldType field = schema.getField(ref.getIndex()).getType().withNullable(false);
    if (!field.equals(FieldTypes.of(ref.getType()))) {
      throw new UntranslatableException("a column of type " + field + " as " + type);
    }
  }
}
