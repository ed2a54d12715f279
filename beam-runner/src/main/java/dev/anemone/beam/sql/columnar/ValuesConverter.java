// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import dev.anemone.beam.sql.ndp.ExpressionConverter;
import dev.anemone.beam.sql.ndp.SqlRows;
import dev.anemone.beam.sql.ndp.UnsupportedExpressionException;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.query.Relation;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Values;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLiteral;

/**
 * Says constant rows in the relational IR, decimals with as many digits as those of a column have.
 */
final class ValuesConverter {

  private ValuesConverter() {}

  static Relation relation(Values values) throws UnsupportedExpressionException {
    List<Field> fields = new ArrayList<>();
    List<List<Literal>> columns = new ArrayList<>();
    List<String> names = RelationConverter.names(values.getRowType().getFieldNames(), Set.of());
    for (RelDataTypeField field : values.getRowType().getFieldList()) {
      DataType type = SqlRows.simple(field.getType());
      if (type == null) {
        type = digits(values, field.getIndex());
      }
      fields.add(Field.nullable(names.get(field.getIndex()), type));
      columns.add(column(values, field.getIndex(), type));
    }
    List<List<Literal>> rows = new ArrayList<>();
    for (int i = 0; i < values.getTuples().size(); i++) {
      int row = i;
      rows.add(columns.stream().map(column -> column.get(row)).toList());
    }
    return new Relation.Values(new RowType(fields), rows);
  }

  /** The type of decimals that holds those of a column. */
  private static DecimalType digits(Values values, int column) {
    DecimalType digits = new DecimalType(1, 0);
    for (List<RexLiteral> tuple : values.getTuples()) {
      if (!tuple.get(column).isNull()) {
        BigDecimal value = tuple.get(column).getValueAs(BigDecimal.class);
        digits = SqlRows.wider(digits, (DecimalType) Literal.of(value).type());
      }
    }
    return digits;
  }

  private static List<Literal> column(Values values, int column, DataType type)
      throws UnsupportedExpressionException {
    List<Literal> literals = new ArrayList<>();
    for (List<RexLiteral> tuple : values.getTuples()) {
      RexLiteral literal = tuple.get(column);
      if (literal.isNull()) {
        literals.add(Literal.nullOf(type));
      } else if (type instanceof DecimalType decimal) {
        BigDecimal value = literal.getValueAs(BigDecimal.class).setScale(decimal.scale());
        literals.add(Literal.parse(decimal, value.toPlainString()));
      } else {
        literals.add(ExpressionConverter.constant(literal));
      }
    }
    return literals;
  }
}
