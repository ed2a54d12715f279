// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.write;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ndp.engine.NdpEngineException;
import dev.anemone.ndp.text.TextDialect;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.function.IntFunction;
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
import org.apache.commons.csv.CSVPrinter;

/**
 * Lines of a format of commons-csv, as Beam SQL writes them: values as Java writes them, times in
 * UTC with milliseconds. What Beam does not write so that it can be read is what readers know: a
 * date as {@code 1994-12-31}, and for NULL what the format has for it, or nothing.
 */
final class TextRows implements RowFile {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private static final long MICROS_PER_MILLI = 1000;

  private final WrittenRows rows;
  private final CSVPrinter printer;

  /** For NULL; quoted where else the line would be empty, which readers take for none. */
  private final String nothing;

  TextRows(TextDialect dialect, WrittenRows rows, OutputStream target) throws IOException {
    this.rows = rows;
    Writer writer = new BufferedWriter(new OutputStreamWriter(target, StandardCharsets.UTF_8));
    this.printer = dialect.printer(writer);
    boolean isAlone = rows.wanted().fields().size() == 1;
    this.nothing = isAlone && dialect.nullText().isEmpty() ? "" : null;
  }

  @Override
  public void write(VectorSchemaRoot batch) throws IOException {
    rows.requireValues(batch);
    int width = batch.getFieldVectors().size();
    FieldVector[] columns = batch.getFieldVectors().toArray(FieldVector[]::new);
    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays have no type arguments
    IntFunction<String>[] texts = new IntFunction[width];
    for (int i = 0; i < width; i++) {
      texts[i] = text(columns[i], i);
    }
    for (int row = 0; row < batch.getRowCount(); row++) {
      for (int i = 0; i < width; i++) {
        printer.print(columns[i].isNull(row) ? nothing : texts[i].apply(row));
      }
      printer.println();
    }
  }

  private IntFunction<String> text(FieldVector vector, int column) {
    if (vector instanceof BitVector booleans) {
      return row -> Boolean.toString(booleans.get(row) != 0);
    } else if (vector instanceof IntVector ints) {
      return row -> Integer.toString(ints.get(row));
    } else if (vector instanceof BigIntVector longs) {
      return row -> Long.toString(longs.get(row));
    } else if (vector instanceof Float8Vector doubles) {
      return row -> Double.toString(doubles.get(row));
    } else if (vector instanceof DecimalVector decimals) {
      return row -> decimal(decimals.getObject(row), column).toString();
    } else if (vector instanceof DateDayVector dates) {
      return row -> LocalDate.ofEpochDay(dates.get(row)).toString();
    } else if (vector instanceof TimeStampMicroVector times) {
      return row -> time(times.get(row), column);
    } else if (vector instanceof VarCharVector strings) {
      return row -> new String(strings.get(row), StandardCharsets.UTF_8);
    }
    throw new IllegalStateException("a batch has a column " + vector.getField());
  }

  private BigDecimal decimal(BigDecimal value, int column) {
    DataType type = rows.wanted().fields().get(column).type().type();
    DecimalType digits = (DecimalType) type;
    BigDecimal rounded = value.setScale(digits.scale(), RoundingMode.HALF_UP);
    if (rounded.precision() > digits.precision()) {
      throw new NdpEngineException(
          rows.expectation(column) + ", which " + value.toPlainString() + " does not fit");
    }
    return rounded;
  }

  private String time(long micros, int column) {
    if (micros % MICROS_PER_MILLI != 0) {
      throw new NdpEngineException(
          rows.expectation(column)
              + " of milliseconds, which "
              + Instant.EPOCH.plus(micros, ChronoUnit.MICROS)
              + " does not fit");
    }
    return TIME.format(Instant.ofEpochMilli(micros / MICROS_PER_MILLI));
  }

  @Override
  public void finish() throws IOException {
    printer.flush();
  }

  /** The target is its owner's, and nothing else is held. */
  @Override
  public void close() {}
}
