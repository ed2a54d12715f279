// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.write;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.ValueType;
import dev.anemone.ndp.engine.ArrowTypes;
import dev.anemone.ndp.engine.NdpEngineException;
import dev.anemone.ndp.engine.database.NdpEngineLimits;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.format.FileFormat;
import dev.anemone.ndp.format.ParquetFormat;
import dev.anemone.ndp.format.TextFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowFileTest {

  private static final RowType ALL =
      RowType.of(
          Field.nullable("b", SimpleType.BOOLEAN),
          Field.nullable("i", SimpleType.INT32),
          Field.nullable("l", SimpleType.INT64),
          Field.nullable("d", SimpleType.DOUBLE),
          Field.nullable("m", new DecimalType(15, 2)),
          Field.nullable("t", SimpleType.DATE),
          Field.nullable("at", SimpleType.TIMESTAMP),
          Field.nullable("a \"b\"", SimpleType.STRING));

  private static final Object[] FULL = {
    true,
    -7,
    1L << 40,
    0.1,
    new BigDecimal("1.50"),
    LocalDate.of(1994, 12, 31),
    1_123_000L,
    "x,\"y\nz"
  };

  private static final Object[] EMPTY = new Object[8];

  @TempDir private Path directory;

  @Test
  void linesAreThoseOfTheFormat() throws IOException {
    assertThat(
            written(new TextFormat("Default"), ALL, ALL, FULL, EMPTY).toString(UTF_8).split("\r\n"))
        .containsExactly(
            "true,-7,1099511627776,0.1,1.50,1994-12-31,1970-01-01T00:00:01.123Z,\"x,\"\"y\nz\"",
            ",,,,,,,");
    assertThat(written(new TextFormat("MySQL"), ALL, ALL, FULL, EMPTY).toString(UTF_8).split("\n"))
        .containsExactly(
            "true\t-7\t1099511627776\t0.1\t1.50\t1994-12-31\t1970-01-01T00:00:01.123Z\tx,\"y\\nz",
            "\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N");
  }

  @Test
  void aLineOfOneNullIsNotEmpty() throws IOException {
    RowType one = RowType.of(Field.nullable("s", SimpleType.STRING));
    assertThat(
            written(new TextFormat("Default"), one, one, new Object[] {null}, new Object[] {"a"})
                .toString(UTF_8))
        .isEqualTo("\"\"\r\na\r\n");
  }

  @Test
  void parquetHasTheTypesOfTheTable() throws Exception {
    assertThat(parquet(ALL, ALL, FULL, EMPTY))
        .containsExactly(
            "[true, -7, 1099511627776, 0.1, 1.50, 1994-12-31, 1970-01-01 00:00:01.123, x,\"y\nz]",
            "[null, null, null, null, null, null, null, null]",
            "[b BOOLEAN, i INTEGER, l BIGINT, d DOUBLE, m DECIMAL(15,2), t DATE, at TIMESTAMP,"
                + " a \"b\" VARCHAR]");
  }

  @Test
  void parquetOfNoRowsHasColumns() throws Exception {
    assertThat(parquet(ALL, ALL)).singleElement().asString().startsWith("[b BOOLEAN, i INTEGER");
  }

  @Test
  void decimalsAreRoundedToTheTable() throws Exception {
    RowType given = decimals(new DecimalType(38, 4), true);
    RowType wanted = decimals(new DecimalType(5, 2), true);
    Object[] rounded = {new BigDecimal("1.2350")};
    Object[] negative = {new BigDecimal("-999.9949")};
    assertThat(written(new TextFormat("Default"), given, wanted, rounded, negative).toString(UTF_8))
        .isEqualTo("1.24\r\n-999.99\r\n");
    assertThat(parquet(given, wanted, rounded, negative))
        .containsExactly("[1.24]", "[-999.99]", "[m DECIMAL(5,2)]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"999.9950", "1000.0000", "-12345678901234567890.0000"})
  void aDecimalThatDoesNotFitIsNamed(String value) {
    RowType given = decimals(new DecimalType(38, 4), true);
    RowType wanted = decimals(new DecimalType(5, 2), true);
    for (FileFormat format : List.of(new TextFormat("Default"), new ParquetFormat())) {
      assertThatThrownBy(() -> written(format, given, wanted, new Object[] {new BigDecimal(value)}))
          .isInstanceOf(NdpEngineException.class)
          .hasMessageContaining(
              "column m of table o is decimal(5,2), which " + value + " does not fit");
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aTimeWithMicrosecondsIsNamed() {
    RowType row = RowType.of(Field.nullable("at", SimpleType.TIMESTAMP));
    for (FileFormat format : List.of(new TextFormat("Default"), new ParquetFormat())) {
      assertThatThrownBy(() -> written(format, row, row, new Object[] {1_123_456L}))
          .isInstanceOf(NdpEngineException.class)
          .hasMessageContaining(
              "column at of table o is timestamp of milliseconds, which 1970-01-01")
          .hasMessageContaining("does not fit");
    }
  }

  @Test
  void aValueThatIsMissingIsNamed() {
    RowType given = decimals(new DecimalType(5, 2), true);
    RowType wanted = decimals(new DecimalType(5, 2), false);
    for (FileFormat format : List.of(new TextFormat("Default"), new ParquetFormat())) {
      assertThatThrownBy(() -> written(format, given, wanted, new Object[] {null}))
          .isInstanceOf(NdpEngineException.class)
          .hasMessage("column m of table o is NOT NULL, and a row has no value for it");
    }
  }

  @Test
  void otherColumnsAndFormatsAreRefused() {
    RowType one = RowType.of(Field.nullable("s", SimpleType.STRING));
    assertThatThrownBy(() -> new WrittenRows("o", one, ALL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("table o has the columns (b boolean");
    CsvFormat other =
        new CsvFormat(
            ',', Optional.empty(), Optional.empty(), false, "", false, CsvFormat.Compression.NONE);
    assertThatThrownBy(() -> written(other, one, one))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("are not written");
  }

  private static RowType decimals(DecimalType type, boolean nullable) {
    return RowType.of(new Field("m", new ValueType(type, nullable)));
  }

  /** What DuckDB reads of a file, its columns last. */
  private List<String> parquet(RowType given, RowType wanted, Object[]... rows) throws Exception {
    Path file = directory.resolve("o.parquet");
    Files.write(file, written(new ParquetFormat(), given, wanted, rows).toByteArray());
    List<String> read = new ArrayList<>();
    try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckDb.createStatement()) {
      try (ResultSet result = statement.executeQuery("SELECT * FROM '" + file + "'")) {
        while (result.next()) {
          List<Object> row = new ArrayList<>();
          for (int i = 1; i <= wanted.fields().size(); i++) {
            row.add(result.getString(i));
          }
          read.add(row.toString());
        }
      }
      try (ResultSet result = statement.executeQuery("DESCRIBE SELECT * FROM '" + file + "'")) {
        List<String> columns = new ArrayList<>();
        while (result.next()) {
          columns.add(result.getString(1) + " " + result.getString(2));
        }
        read.add(columns.toString());
      }
    }
    return read;
  }

  /** What becomes of rows, each of which is a batch. */
  private ByteArrayOutputStream written(
      FileFormat format, RowType given, RowType wanted, Object[]... rows) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    NdpEngineLimits limits =
        new NdpEngineLimits(1, 64L << 20, 1L << 30, Duration.ofMinutes(1), directory);
    try (RootAllocator memory = new RootAllocator();
        VectorSchemaRoot batch = VectorSchemaRoot.create(ArrowTypes.schemaOf(given), memory);
        RowFile file = RowFile.create(format, new WrittenRows("o", given, wanted), bytes, limits)) {
      for (Object[] row : rows) {
        batch.clear();
        batch.allocateNew();
        for (int i = 0; i < row.length; i++) {
          if (row[i] != null) {
            set(batch.getVector(i), row[i]);
          }
        }
        batch.setRowCount(1);
        file.write(batch);
      }
      file.finish();
    }
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left.filter(Files::isDirectory)).isEmpty();
    }
    return bytes;
  }

  private static void set(FieldVector vector, Object value) {
    if (vector instanceof BitVector booleans) {
      booleans.setSafe(0, (Boolean) value ? 1 : 0);
    } else if (vector instanceof IntVector ints) {
      ints.setSafe(0, (Integer) value);
    } else if (vector instanceof BigIntVector longs) {
      longs.setSafe(0, (Long) value);
    } else if (vector instanceof Float8Vector doubles) {
      doubles.setSafe(0, (Double) value);
    } else if (vector instanceof DecimalVector decimals) {
      decimals.setSafe(0, (BigDecimal) value);
    } else if (vector instanceof DateDayVector dates) {
      dates.setSafe(0, (int) ((LocalDate) value).toEpochDay());
    } else if (vector instanceof TimeStampMicroVector times) {
      times.setSafe(0, (Long) value);
    } else {
      ((VarCharVector) vector).setSafe(0, ((String) value).getBytes(UTF_8));
    }
  }
}
