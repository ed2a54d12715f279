// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.concurrent.TimeUnit;
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
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Instant;

/**
 * Rows of Beam out of batches of Arrow. A timestamp of Beam has milliseconds: one with more digits
 * is an error, never cut. Not thread-safe.
 */
final class BatchRows {

  private static final long MICROS_PER_MILLI = TimeUnit.MILLISECONDS.toMicros(1);

  /** The value of a column in a row that is not null there. */
  @FunctionalInterface
  private interface Column {
    Object value(int row);
  }

  private final Schema schema;

  BatchRows(Schema schema) {
    this.schema = schema;
  }

  /** Hands over all rows of a batch, which may be reused afterwards. */
  void each(VectorSchemaRoot batch, BatchForm.ElementReceiver<Row> output) throws Exception {
    int width = schema.getFieldCount();
    FieldVector[] vectors = batch.getFieldVectors().toArray(FieldVector[]::new);
    if (vectors.length != width) {
      throw new IllegalStateException(
          "a batch has " + vectors.length + " columns where " + schema + " needs " + width);
    }
    Column[] columns = new Column[width];
    for (int i = 0; i < width; i++) {
      columns[i] = column(vectors[i]);
    }
    for (int row = 0; row < batch.getRowCount(); row++) {
      Object[] values = new Object[width];
      for (int i = 0; i < width; i++) {
        values[i] = vectors[i].isNull(row) ? null : columns[i].value(row);
      }
      output.accept(Row.withSchema(schema).attachValues(values));
    }
  }

  private static Column column(FieldVector vector) {
    if (vector instanceof BitVector booleans) {
      return row -> booleans.get(row) != 0;
    } else if (vector instanceof IntVector ints) {
      return ints::get;
    } else if (vector instanceof BigIntVector longs) {
      return longs::get;
    } else if (vector instanceof Float8Vector doubles) {
      return doubles::get;
    } else if (vector instanceof DecimalVector decimals) {
      return row -> decimal(decimals, row);
    } else if (vector instanceof DateDayVector dates) {
      return row -> LocalDate.ofEpochDay(dates.get(row));
    } else if (vector instanceof TimeStampMicroVector times) {
      return row -> instant(times.get(row));
    } else if (vector instanceof VarCharVector texts) {
      return row -> new String(texts.get(row), StandardCharsets.UTF_8);
    }
    throw new IllegalStateException("a batch has a column " + vector.getField());
  }

  private static BigDecimal decimal(DecimalVector decimals, int row) {
    long low = decimals.getDataBuffer().getLong(row * (long) DecimalVector.TYPE_WIDTH);
    long high = decimals.getDataBuffer().getLong(row * (long) DecimalVector.TYPE_WIDTH + 8);
    // Most decimals fit into a long, for which no array is needed.
    return high == low >> 63
        ? BigDecimal.valueOf(low, decimals.getScale())
        : decimals.getObject(row);
  }

  private static Instant instant(long micros) {
    if (micros % MICROS_PER_MILLI != 0) {
      throw new IllegalArgumentException(
          "a timestamp has "
              + Math.floorMod(micros, 1_000_000)
              + " microseconds, and Beam SQL's have milliseconds; cast it to a date, or store it"
              + " with fewer digits");
    }
    return Instant.ofEpochMilli(micros / MICROS_PER_MILLI);
  }
}
