package dev.anemone.examples.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

class TpchLineParserTest {
  private static final String ORDER =
      "33|61243|F|163243.98|1993-10-27|3-MEDIUM|Clerk#000000409|0|uriously. furiously final|";

  @Test
  void everyColumnHasTheTypeOfItsTable() {
    Row row = new TpchLineParser(TpchTable.ORDERS, TpchTable.ORDERS.schema()).parse(ORDER);

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
    TpchLineParser parser = new TpchLineParser(TpchTable.ORDERS, TpchTable.ORDERS.schema());

    assertThat(parser.parse(ORDER.substring(0, ORDER.length() - 1))).isEqualTo(parser.parse(ORDER));
  }

  @Test
  void someColumnsCanBeTakenInAnyOrder() {
    assertThat(parse("o_orderdate", "o_custkey").getValues())
        .isEqualTo(List.of(LocalDate.of(1993, 10, 27), 61243L));
  }

  @Test
  void columnsAfterTheLastNeededOneAreNotLookedAt() {
    assertThat(
            new TpchLineParser(TpchTable.ORDERS, columns("o_orderkey"))
                .parse("33|not a number")
                .getValues())
        .isEqualTo(List.of(33L));
  }

  @Test
  void aMalformedValueNamesTheTableTheColumnAndTheLine() {
    TpchLineParser parser = new TpchLineParser(TpchTable.ORDERS, columns("o_orderdate"));

    assertThatThrownBy(() -> parser.parse("1|2|F|3.00|1993-13-27|"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "A line of table orders has no valid value for column o_orderdate:"
                + " 1|2|F|3.00|1993-13-27|");
  }

  @Test
  void aLineThatEndsTooEarlyNamesTheFirstMissingColumn() {
    TpchLineParser parser = new TpchLineParser(TpchTable.ORDERS, columns("o_orderdate"));

    assertThatThrownBy(() -> parser.parse("1|2|F"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("column o_totalprice");
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

    assertThat(
            new TpchLineParser(TpchTable.ORDERS, columns("o_orderdate"))
                .parse("1|2|F|3.00|" + date + "|")
                .<LocalDate>getValue(0))
        .isEqualTo(date);
  }

  private static BigDecimal parseDecimal(String text) {
    return new TpchLineParser(TpchTable.ORDERS, columns("o_totalprice"))
        .parse("1|2|F|" + text + "|")
        .getDecimal(0);
  }

  private static Row parse(String... columns) {
    return new TpchLineParser(TpchTable.ORDERS, columns(columns)).parse(ORDER);
  }

  private static Schema columns(String... names) {
    return Stream.of(names).map(TpchTable.ORDERS.schema()::getField).collect(Schema.toSchema());
  }
}
