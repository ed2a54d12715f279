// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.examples.tpch.TpchTable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineParserTest {
  private static final String ORDER =
      "33|61243|F|163243.98|1993-10-27|3-MEDIUM|Clerk#000000409|0|uriously. furiously final|";

  @Test
  void everyColumnHasTheTypeOfItsTable() {
    Row row = parse(TpchTable.ORDERS.schema(), ORDER);

    assertThat(row)
        .isEqualTo(
            Row.withSchema(TpchTable.ORDERS.schema())
                .addValues(
                    33L,
                    61243L,
                    "F",
                    new BigDecimal("163243.98"),
                    LocalDate.of(1993, 10, 27),
                    "3-MEDIUM",
                    "Clerk#000000409",
                    0,
                    "uriously. furiously final")
                .build());
  }

  @Test
  void theLastSeparatorMayBeMissing() {
    Schema all = TpchTable.ORDERS.schema();

    assertThat(parse(all, ORDER.substring(0, ORDER.length() - 1))).isEqualTo(parse(all, ORDER));
  }

  @Test
  void someColumnsCanBeTakenInAnyOrder() {
    assertThat(parse("o_orderdate", "o_custkey").getValues())
        .isEqualTo(List.of(LocalDate.of(1993, 10, 27), 61243L));
  }

  @Test
  void columnsAfterTheLastNeededOneAreNotLookedAt() {
    assertThat(parse(columns("o_orderkey"), "33|not a number").getValues()).isEqualTo(List.of(33L));
  }

  @Test
  void aMalformedValueNamesTheTableTheColumnAndTheLine() {
    assertThatThrownBy(() -> parse(columns("o_orderdate"), "1|2|F|3.00|1993-13-27|"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "A line of table orders has no valid value for column o_orderdate:"
                + " 1|2|F|3.00|1993-13-27|");
  }

  @Test
  void aLineThatEndsTooEarlyNamesTheFirstMissingColumn() {
    assertThatThrownBy(() -> parse(columns("o_orderdate"), "1|2|F"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("column o_totalprice");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x|2|F|3.00|1993-10-27|",
        "|2|F|3.00|1993-10-27|",
        "1|2|F|-|1993-10-27|",
        "1|2|F|3.0.0|1993-10-27|",
        "1|2|F||1993-10-27|",
        "1|2|F|3.00|1993/10/27|",
        "1|2|F|3.00|1993-1a-27|",
        "1|2|F|3.00||"
      })
  void whatIsNoNumberOrDateIsRefused(String line) {
    assertThatThrownBy(() -> parse(columns("o_orderkey", "o_totalprice", "o_orderdate"), line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("A line of table orders has no valid value for column o_");
  }

  @Test
  void anEmptyTextIsNullWhereThatMayBe() {
    Schema nullable =
        TpchTable.ORDERS.schema().getFields().stream()
            .map(field -> field.withNullable(true))
            .collect(Schema.toSchema());
    DataTable orders =
        new DataTable() {
          private static final long serialVersionUID = 1;

          @Override
          public String tableName() {
            return "orders";
          }

          @Override
          public Schema schema() {
            return nullable;
          }

          @Override
          public int averageLineBytes() {
            return 1;
          }

          @Override
          public String textSuffix() {
            return ".tbl";
          }
        };
    byte[] line = "33|||||3-MEDIUM||0|".getBytes(UTF_8);

    assertThat(new LineParser(orders, nullable).parse(line, 0, line.length).getValues())
        .containsExactly(33L, null, null, null, null, "3-MEDIUM", null, 0, null);
  }

  @Property
  void decimalsAreExact(
      @ForAll @LongRange(min = -10_000_000_000_000_000L, max = 10_000_000_000_000_000L)
          long unscaled,
      @ForAll @IntRange(max = 6) int scale) {
    BigDecimal value = BigDecimal.valueOf(unscaled, scale);

    assertThat(parseDecimal(value.toPlainString())).isEqualTo(value);
  }

  @Property
  void datesInsideAndOutsideOfTheUsualYearsAreExact(
      @ForAll @LongRange(min = -10_000, max = 40_000) long epochDay) {
    LocalDate date = LocalDate.ofEpochDay(epochDay);

    assertThat(parse(columns("o_orderdate"), "1|2|F|3.00|" + date + "|").<LocalDate>getValue(0))
        .isEqualTo(date);
  }

  private static BigDecimal parseDecimal(String text) {
    return parse(columns("o_totalprice"), "1|2|F|" + text + "|").getDecimal(0);
  }

  private static Row parse(String... columns) {
    return parse(columns(columns), ORDER);
  }

  /** Parses a line that has other bytes before and behind it. */
  private static Row parse(Schema schema, String line) {
    byte[] bytes = ("7|" + line + "\n8|").getBytes(UTF_8);
    return new LineParser(TpchTable.ORDERS, schema)
        .parse(bytes, 2, 2 + line.getBytes(UTF_8).length);
  }

  private static Schema columns(String... names) {
    return Stream.of(names).map(TpchTable.ORDERS.schema()::getField).collect(Schema.toSchema());
  }
}
