// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.ValueType;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;

/**
 * The columns of a table with the types that the engine needs. Beam's schemas drop the precision
 * and scale of decimals that a {@code CREATE TABLE} declares, so the property {@value #DECIMALS}
 * says them: {@code "15,2"} for all, or an object with those of each column.
 */
final class NdpColumns {

  /** The property with precision and scale of decimals. */
  static final String DECIMALS = "decimals";

  private static final Pattern DIGITS = Pattern.compile(" *([0-9]{1,2}) *, *([0-9]{1,2}) *");

  private final ObjectNode properties;

  private NdpColumns(ObjectNode properties) {
    this.properties = properties;
  }

  /**
   * The columns of a schema.
   *
   * @throws IllegalArgumentException when one has a type that is not supported
   */
  static RowType of(Schema schema, ObjectNode properties) {
    return new NdpColumns(properties).rows(schema);
  }

  private RowType rows(Schema schema) {
    requireColumns(schema);
    List<Field> fields = new ArrayList<>();
    for (Schema.Field field : schema.getFields()) {
      fields.add(
          new Field(field.getName(), new ValueType(type(field), field.getType().getNullable())));
    }
    return new RowType(fields);
  }

  private DataType type(Schema.Field field) {
    Schema.FieldType type = field.getType();
    return switch (type.getTypeName()) {
      case BOOLEAN -> SimpleType.BOOLEAN;
      case INT32 -> SimpleType.INT32;
      case INT64 -> SimpleType.INT64;
      case DOUBLE -> SimpleType.DOUBLE;
      case DATETIME -> SimpleType.TIMESTAMP;
      case STRING -> SimpleType.STRING;
      case DECIMAL -> decimal(field.getName());
      default -> {
        if (type.isLogicalType(SqlTypes.DATE.getIdentifier())) {
          yield SimpleType.DATE;
        }
        throw new IllegalArgumentException(
            "column "
                + field.getName()
                + " is "
                + name(type)
                + ", which tables of this type do not have; BOOLEAN, INTEGER, BIGINT, DOUBLE,"
                + " DECIMAL, DATE, TIMESTAMP, CHAR and VARCHAR are supported");
      }
    };
  }

  private static String name(Schema.FieldType type) {
    return type.getTypeName().isLogicalType() || type.getTypeName().isPrimitiveType()
        ? CalciteUtils.toSqlTypeName(type).getName()
        : type.getTypeName().name();
  }

  private DecimalType decimal(String column) {
    JsonNode digits = properties.path(DECIMALS);
    String text = (digits.isObject() ? digits.path(column) : digits).asText("");
    Matcher matcher = DIGITS.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "column "
              + column
              + " is DECIMAL, and Beam SQL does not hand on its precision and scale: add the"
              + " property 'decimals', as \"15,2\" for all such columns or {\""
              + column
              + "\": \"15,2\"} for one; it is "
              + (digits.isMissingNode() ? "missing" : digits));
    }
    return new DecimalType(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
  }

  private void requireColumns(Schema schema) {
    if (properties.path(DECIMALS).isObject()) {
      for (Iterator<String> names = properties.path(DECIMALS).fieldNames(); names.hasNext(); ) {
        String name = names.next();
        if (!schema.hasField(name)
            || schema.getField(name).getType().getTypeName() != Schema.TypeName.DECIMAL) {
          throw new IllegalArgumentException(
              "property 'decimals' names "
                  + name
                  + ", which is no column of type DECIMAL; the columns are "
                  + schema.getFieldNames());
        }
      }
    }
  }
}
