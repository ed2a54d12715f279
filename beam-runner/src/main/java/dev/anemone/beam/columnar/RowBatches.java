// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.ArrowTypes;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.RootAllocator;
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
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.beam.sdk.values.Row;
import org.joda.time.ReadableInstant;

/**
 * Batches of Arrow out of rows of Beam, the reverse of {@link BatchRows}. It owns the memory of its
 * batches. Not thread-safe.
 */
final class RowBatches extends ArrowReader {

  private static final int BATCH_ROWS = 8192;

  /** Puts a value that is not null into a row of a column. */
  @FunctionalInterface
  private interface Column {
    void set(int row, Object value);
  }

  private final RootAllocator memory;
  private final Iterator<Row> rows;
  private final VectorSchemaRoot root;
  private final boolean rounds;
  private final List<Column> columns = new ArrayList<>();

  private RowBatches(RootAllocator memory, RowType type, boolean rounds, Iterator<Row> rows) {
    super(memory);
    this.rounds = rounds;
    this.memory = memory;
    this.rows = rows;
    this.root = VectorSchemaRoot.create(ArrowTypes.schemaOf(type), memory);
    for (FieldVector vector : root.getFieldVectors()) {
      columns.add(column(vector));
    }
  }

  /**
   * Batches of rows.
   *
   * @param type of the rows, field by field; decimals need the digits that it says
   */
  static RowBatches of(RowType type, Iterator<Row> rows) {
    return new RowBatches(new RootAllocator(), type, false, rows);
  }

  /**
   * The same of decimals that are rounded half up to the digits behind the point that they should
   * have.
   */
  static RowBatches rounded(RowType type, Iterator<Row> rows) {
    return new RowBatches(new RootAllocator(), type, true, rows);
  }

  /**
   * The type of rows with as many digits as their decimals have.
   *
   * @throws IllegalArgumentException when there are more than a decimal may have
   */
  static RowType withDigits(RowType type, Iterable<Row> rows) {
    int width = type.fields().size();
    int[] before = new int[width];
    int[] behind = new int[width];
    List<Integer> decimals = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      if (type.fields().get(i).type().type() instanceof DecimalType) {
        decimals.add(i);
      }
    }
    if (decimals.isEmpty()) {
      return type;
    }
    for (Row row : rows) {
      for (int i : decimals) {
        BigDecimal value = row.getValue(i);
        if (value != null) {
          before[i] = Math.max(before[i], value.precision() - value.scale());
          if (value.scale() > behind[i]) {
            // A constant may have as many zeros as its type allows.
            behind[i] = Math.max(behind[i], value.stripTrailingZeros().scale());
          }
        }
      }
    }
    List<Field> fields = new ArrayList<>(type.fields());
    for (int i : decimals) {
      fields.set(
          i, Field.nullable(fields.get(i).name(), digits(fields.get(i), before[i], behind[i])));
    }
    return new RowType(fields);
  }

  private static DecimalType digits(Field field, int before, int behind) {
    int precision = Math.max(1, Math.max(0, before) + behind);
    if (precision > DecimalType.MAX_PRECISION) {
      throw new IllegalArgumentException(
          "Column "
              + field.name()
              + " has decimals with "
              + before
              + " digits before the point and decimals with "
              + behind
              + " digits behind it, which together are more than the "
              + DecimalType.MAX_PRECISION
              + " that a decimal of the columnar engine has. CAST it to fewer digits.");
    }
    return new DecimalType(precision, behind);
  }

  @Override
  public VectorSchemaRoot getVectorSchemaRoot() {
    return root;
  }

  @Override
  protected Schema readSchema() {
    return root.getSchema();
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    for (FieldVector vector : root.getFieldVectors()) {
      // The engine may still be reading the memory of the batch before.
      vector.clear();
      vector.setInitialCapacity(BATCH_ROWS);
      vector.allocateNew();
    }
    int count = 0;
    try {
      while (count < BATCH_ROWS && rows.hasNext()) {
        Row row = rows.next();
        for (int i = 0; i < columns.size(); i++) {
          Object value = row.getValue(i);
          if (value != null) {
            columns.get(i).set(count, value);
          }
        }
        count++;
      }
    } catch (RuntimeException e) {
      // The engine draws batches from native code, through which only this kind passes.
      throw new IOException(e.getMessage(), e);
    }
    root.setRowCount(count);
    return count > 0;
  }

  private Column column(FieldVector vector) {
    if (vector instanceof BitVector booleans) {
      return (row, value) -> booleans.setSafe(row, (Boolean) value ? 1 : 0);
    } else if (vector instanceof IntVector ints) {
      return (row, value) -> ints.setSafe(row, (Integer) value);
    } else if (vector instanceof BigIntVector longs) {
      return (row, value) -> longs.setSafe(row, (Long) value);
    } else if (vector instanceof Float8Vector doubles) {
      return (row, value) -> doubles.setSafe(row, (Double) value);
    } else if (vector instanceof DecimalVector decimals) {
      return (row, value) -> decimals.setSafe(row, fitting((BigDecimal) value, decimals));
    } else if (vector instanceof DateDayVector dates) {
      return (row, value) -> dates.setSafe(row, Math.toIntExact(((LocalDate) value).toEpochDay()));
    } else if (vector instanceof TimeStampMicroVector times) {
      return (row, value) ->
          times.setSafe(row, TimeUnit.MILLISECONDS.toMicros(((ReadableInstant) value).getMillis()));
    } else if (vector instanceof VarCharVector texts) {
      return (row, value) -> texts.setSafe(row, ((String) value).getBytes(StandardCharsets.UTF_8));
    }
    throw new IllegalStateException("a batch has a column " + vector.getField());
  }

  /** A decimal with the digits of a column. */
  private BigDecimal fitting(BigDecimal value, DecimalVector column) {
    BigDecimal rounded = value.setScale(column.getScale(), RoundingMode.HALF_UP);
    if (rounded.precision() > column.getPrecision() || (!rounds && rounded.compareTo(value) != 0)) {
      throw new IllegalArgumentException(
          "column "
              + column.getName()
              + " is decimal("
              + column.getPrecision()
              + ","
              + column.getScale()
              + "), which "
              + value.toPlainString()
              + " does not fit");
    }
    return rounded;
  }

  @Override
  public long bytesRead() {
    return 0;
  }

  @Override
  protected void closeReadSource() {
    root.close();
    memory.close();
  }
}
