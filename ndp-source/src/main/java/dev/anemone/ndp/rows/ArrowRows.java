// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.rows;

import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Rows out of batches of Arrow. */
public final class ArrowRows {

  private ArrowRows() {}

  /**
   * The rows of a batch.
   *
   * @param type their type; the batch must have the schema that belongs to it
   */
  public static List<List<Object>> of(VectorSchemaRoot batch, RowType type) {
    List<List<Object>> rows = new ArrayList<>(batch.getRowCount());
    for (int row = 0; row < batch.getRowCount(); row++) {
      List<Object> values = new ArrayList<>(type.fields().size());
      for (int column = 0; column < type.fields().size(); column++) {
        values.add(value(batch.getVector(column), type.fields().get(column), row));
      }
      rows.add(values);
    }
    return rows;
  }

  private static Object value(FieldVector vector, Field field, int row) {
    if (vector.isNull(row)) {
      return null;
    }
    if (field.type().type() instanceof DecimalType) {
      return ((DecimalVector) vector).getObject(row);
    }
    return switch ((SimpleType) field.type().type()) {
      case BOOLEAN -> ((BitVector) vector).get(row) != 0;
      case INT32 -> ((IntVector) vector).get(row);
      case INT64 -> ((BigIntVector) vector).get(row);
      case DOUBLE -> ((Float8Vector) vector).get(row);
      case DATE -> LocalDate.ofEpochDay(((DateDayVector) vector).get(row));
      case TIMESTAMP -> ((TimeStampMicroVector) vector).getObject(row);
      case STRING -> new String(((VarCharVector) vector).get(row), StandardCharsets.UTF_8);
    };
  }
}
