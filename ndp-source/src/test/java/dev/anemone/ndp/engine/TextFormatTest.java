// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.ValueType;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.format.TextFormat;
import dev.anemone.ndp.rows.ArrowRows;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lines have the rows that commons-csv and Java's parsers make of them. */
class TextFormatTest {

  private static final RowType ROW =
      RowType.of(
          Field.nullable("i", SimpleType.INT32),
          Field.nullable("s", SimpleType.STRING),
          Field.nullable("d", SimpleType.DOUBLE),
          Field.nullable("p", new DecimalType(6, 2)),
          Field.nullable("t", SimpleType.DATE));

  private static final RowType SOME =
      new RowType(List.of(ROW.fields().get(3), ROW.fields().get(1)));

  private static final List<List<String>> VALUES =
      List.of(
          List.of("", "7", "-7", "007", "+7", "2147483647", "-2147483648", "\"8\"", " ", "-0"),
          List.of(
              "",
              "a",
              "\"\"",
              "\"a\"",
              "\"a,b|c\td\"",
              "\"a\"\"b\"",
              "a\"b",
              " a",
              "a ",
              "\" a \"",
              "\\N",
              "\"\\N\"",
              "N\\",
              "a\\,b",
              "é€𐍈",
              "\"é\"",
              "NULL",
              "\"a\" ",
              "\u0001",
              "#a",
              "\"a\tb\"",
              "a\\nb",
              "'a'",
              "\u00a0a"),
          List.of(
              "",
              "0.5",
              "-0.0",
              "1e3",
              "1E-7",
              "NaN",
              "-Infinity",
              "1d",
              "0x1p3",
              " 2.5 ",
              ".5",
              "5.",
              "123456789012345.6",
              "0.1234567890123456789",
              "4.9E-324",
              "1e400"),
          List.of("", "1.5", "-9999.99", "1e2", "0", "1.500", "+1.5", ".25", "\"2.50\"", "0001.1"),
          List.of("", "1994-12-31", "2000-02-29", "0001-01-01", "9999-12-31", "\"1970-01-01\""));

  private static final List<String> BAD =
      List.of(
          "x,a,1,1,1994-12-31",
          "1.5,a,1,1,1994-12-31",
          "2147483648,a,1,1,1994-12-31",
          " 1,a,1,1,1994-12-31",
          "1,a,1,1.234,1994-12-31",
          "1,a,1,10000,1994-12-31",
          "1,a,1,1,1994-02-30",
          "1,a,1,1,1994-12-31 00:00:00",
          "1,\"a\"x,1,1,1994-12-31",
          "1,\"a,1,1,1994-12-31",
          "1,a,1,1",
          "1,a,1,1,1994-12-31,",
          "1,a,1_000,1,1994-12-31");

  @TempDir Path directory;
  private Path work;
  private NdpEngine engine;

  @BeforeEach
  void open() throws IOException {
    work = Files.createDirectory(directory.resolve("work"));
    engine = new NdpEngine(TestLimits.in(work));
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    engine.close();
    try (var left = Files.list(work)) {
      assertThat(left).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(CSVFormat.Predefined.class)
  void linesAreReadAsByJava(CSVFormat.Predefined dialect) throws IOException {
    Random random = new Random(dialect.name().hashCode());
    List<String> lines = new ArrayList<>();
    List<List<Object>> expected = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      String line = line(random, dialect.getFormat().getDelimiterString().charAt(0));
      try {
        expected.addAll(read(line, dialect.getFormat()));
        lines.add(line);
      } catch (IOException | RuntimeException bad) {
        if (i < 40) {
          Table table = table(dialect.name(), goodLine(dialect) + "\n" + line);
          assertThatThrownBy(() -> rows(table, Split.WHOLE))
              .as(line)
              .isInstanceOf(NdpEngineException.class)
              .hasMessageContaining("line 2 of " + table.file());
        }
      }
    }
    assertThat(expected).hasSizeGreaterThan(50);
    for (List<String> ends : List.of(List.of("\n"), List.of("\r\n"), List.of("\r", "\n", "\r\n"))) {
      StringBuilder text = new StringBuilder();
      for (String line : lines) {
        text.append(line).append(ends.get(random.nextInt(ends.size())));
      }
      Table table = table(dialect.name(), text.toString());
      assertThat(rows(table, Split.WHOLE)).isEqualTo(expected);
      assertThat(inSplits(table, 3_000)).isEqualTo(expected);
      assertThat(rows(RelationalPlan.of(SOME), table, Split.WHOLE))
          .isEqualTo(expected.stream().map(row -> Arrays.asList(row.get(3), row.get(1))).toList());
    }
  }

  private static String goodLine(CSVFormat.Predefined dialect) {
    return String.join(
        dialect.getFormat().getDelimiterString(), "7", "a", "0.5", "1.5", "1994-12-31");
  }

  private static String line(Random random, char delimiter) {
    List<String> values = new ArrayList<>();
    // Most lines are plain but for one value.
    int odd = random.nextInt(VALUES.size());
    for (int i = 0; i < VALUES.size(); i++) {
      List<String> choice = VALUES.get(i);
      values.add(choice.get(i == odd ? random.nextInt(choice.size()) : random.nextInt(2)));
    }
    return String.join(String.valueOf(delimiter), values);
  }

  private static List<List<Object>> read(String line, CSVFormat format) throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    try (CSVParser parser = CSVParser.parse(line + format.getRecordSeparator(), format)) {
      for (CSVRecord values : parser.getRecords()) {
        assertThat(values.size()).isEqualTo(VALUES.size());
        rows.add(
            Arrays.asList(
                blank(values.get(0)) ? null : Integer.valueOf(values.get(0)),
                values.get(1),
                blank(values.get(2)) ? null : Double.valueOf(values.get(2)),
                blank(values.get(3)) ? null : new BigDecimal(values.get(3)).setScale(2),
                blank(values.get(4)) ? null : LocalDate.parse(values.get(4))));
      }
    } catch (AssertionError other) {
      throw new IOException(other);
    }
    return rows;
  }

  private static boolean blank(String value) {
    return value == null || value.isBlank();
  }

  private List<List<Object>> inSplits(Table table, long bytes) throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    for (long start = 0; start < Files.size(table.file()); start += bytes) {
      rows.addAll(rows(table, new Split(start, bytes)));
    }
    return rows;
  }

  @Test
  void badLinesAreNamed() throws IOException {
    String good = "1,a,1,1,1994-12-31\n";
    for (String bad : BAD) {
      Table table = table("Default", good.repeat(3) + "\n" + bad + "\n" + good);
      assertThatThrownBy(() -> rows(table, Split.WHOLE))
          .as(bad)
          .isInstanceOf(NdpEngineException.class)
          .hasMessageStartingWith("line 5 of " + table.file() + ": ");
      assertThatThrownBy(() -> rows(table, new Split(30, 1000)))
          .as(bad)
          .hasMessageStartingWith("line 5 of " + table.file() + ": ");
    }
    assertThatThrownBy(() -> rows(table("Default", "1,a,x,1,\n"), Split.WHOLE))
        .hasMessageEndingWith("column d is double, not 'x'");
    assertThatThrownBy(() -> rows(table("Default", "1,a,1,1\n"), Split.WHOLE))
        .hasMessageEndingWith("it has 4 values, and the table 5 columns");
  }

  @Test
  void bytesThatAreNoTextAreNamed() throws IOException {
    Table table = table("Default", "");
    Files.write(table.file(), "1,a,,,\n2,b?,,,\n".getBytes(StandardCharsets.US_ASCII));
    byte[] bytes = Files.readAllBytes(table.file());
    bytes[10] = (byte) 0xff;
    Files.write(table.file(), bytes);
    assertThatThrownBy(() -> rows(table, Split.WHOLE))
        .hasMessage("line 2 of " + table.file() + ": byte 4 of it is not UTF-8");
  }

  @Test
  void aValueIsNeededWhereNullIsNone() throws IOException {
    RowType row = RowType.of(new Field("n", new ValueType(SimpleType.INT64, false)));
    Table table = new Table(table("Default", "1\n\"\"\n").file(), new TextFormat("Default"), row);
    assertThatThrownBy(() -> rows(table, Split.WHOLE))
        .hasMessageEndingWith(
            "line 2 of " + table.file() + ": column n has no value, and is NOT NULL");
  }

  @Test
  void longLinesAndMarksOfTheByteOrderAreRead() throws IOException {
    String text = "x".repeat(700_000);
    Table table = table("Default", "\ufeff1," + text + ",,,\n2,\"" + text + ",\",,,");
    List<List<Object>> rows = rows(table, Split.WHOLE);
    assertThat(rows.stream().map(row -> row.get(0))).containsExactly(1, 2);
    assertThat(rows.get(1).get(1)).isEqualTo(text + ",");

    Table endless = table("Default", "1,a,,,\n2," + "x".repeat(2_000_000) + ",,,\n");
    assertThatThrownBy(() -> rows(endless, Split.WHOLE))
        .hasMessageEndingWith(
            "line 2 of " + endless.file() + ": it has more than 2000000 bytes, the most of a line");
  }

  @Test
  void oneColumnMayBeEmpty() throws IOException {
    RowType row = RowType.of(Field.nullable("s", SimpleType.STRING));
    Path file = table("Default", "a\n\n\"\"\nb\n").file();
    assertThat(rows(new Table(file, new TextFormat("Default"), row), Split.WHOLE))
        .containsExactly(List.of("a"), List.of(""), List.of("b"));
    assertThat(rows(new Table(file, new TextFormat("Excel"), row), Split.WHOLE))
        .containsExactly(List.of("a"), List.of(""), List.of(""), List.of("b"));
  }

  @Test
  void otherDialectsAreRefused() {
    assertThatThrownBy(() -> new TextFormat("Pipes"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("called Pipes; those are [Default, Excel, ");
  }

  private Table table(String dialect, String text) throws IOException {
    Path file = Files.createTempFile(directory, "table", ".csv");
    Files.writeString(file, text);
    return new Table(file, new TextFormat(dialect), ROW);
  }

  private List<List<Object>> rows(Table table, Split split) {
    return rows(RelationalPlan.of(table.columns()), table, split);
  }

  private List<List<Object>> rows(RelationalPlan plan, Table table, Split split) {
    List<List<Object>> rows = new ArrayList<>();
    try (PlanAnswer answer = engine.run(plan, table, split)) {
      while (answer.loadNextBatch()) {
        rows.addAll(ArrowRows.of(answer.root(), answer.type()));
      }
    }
    return rows;
  }
}
