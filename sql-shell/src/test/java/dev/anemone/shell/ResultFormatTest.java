// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

class ResultFormatTest {
  private static final Schema TEXTS =
      Schema.builder().addNullableStringField("a").addNullableStringField("b").build();
  private static final Schema MIXED =
      Schema.builder().addNullableStringField("name").addNullableInt64Field("n").build();

  @Property(tries = 200)
  void anyTextComesBackFromCsv(@ForAll @Size(2) List<String> texts) throws IOException {
    Row row = Row.withSchema(TEXTS).addValues(texts.get(0), texts.get(1)).build();

    String csv = ResultFormat.CSV.format(new Outcome.Rows(TEXTS, List.of(row), false));

    try (CSVParser parser = CSVParser.parse(csv, CSVFormat.RFC4180)) {
      List<CSVRecord> records = parser.getRecords();
      assertThat(records).hasSize(2);
      assertThat(Arrays.asList(records.get(1).get(0), records.get(1).get(1))).isEqualTo(texts);
    }
  }

  @Example
  void nullIsNoEmptyText() {
    Row row = Row.withSchema(TEXTS).addValues(null, "").build();

    assertThat(ResultFormat.CSV.format(new Outcome.Rows(TEXTS, List.of(row), false)))
        .isEqualTo("\"a\",\"b\"\n,\"\"\n");
  }

  @Example
  void jsonKeepsNumbersAndNulls() {
    assertThat(ResultFormat.JSON.format(mixed()))
        .isEqualTo("{\"name\":\"a|\\\"b\\\"\",\"n\":1}\n{\"name\":null,\"n\":null}\n");
  }

  @Example
  void markdownHasItsBarsEscaped() {
    assertThat(ResultFormat.MARKDOWN.format(mixed()))
        .isEqualTo("| name | n |\n| --- | ---: |\n| a\\|\"b\" | 1 |\n|  |  |\n");
  }

  private static Outcome.Rows mixed() {
    return new Outcome.Rows(
        MIXED,
        List.of(
            Row.withSchema(MIXED).addValues("a|\"b\"", 1L).build(),
            Row.withSchema(MIXED).addValues(null, null).build()),
        false);
  }
}
