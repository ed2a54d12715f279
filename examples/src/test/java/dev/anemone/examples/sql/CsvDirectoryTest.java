// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvDirectoryTest {
  private static final Schema SCHEMA =
      Schema.builder()
          .addInt64Field("key")
          .addNullableField("text", FieldType.STRING)
          .addDecimalField("amount")
          .addField("day", FieldType.logicalType(SqlTypes.DATE))
          .build();

  @TempDir private Path directory;

  @Test
  void valuesArePlainAndQuotedWhereTheyMustBe() throws Exception {
    CsvDirectory.prepare("--output", directory.resolve("new").toString())
        .write(
            "q01",
            SCHEMA,
            List.of(
                row(1, "plain text", "1E+3"), row(2, "a, \"b\"\nc", "-0.10"),
                row(3, null, "0.00"), row(4, "", "7")));

    assertThat(directory.resolve("new/q01.csv"))
        .hasContent(
            """
            key,text,amount,day
            1,plain text,1000,1998-12-01
            2,"a, ""b""
            c",-0.10,1998-12-01
            3,,0.00,1998-12-01
            4,"",7,1998-12-01
            """);
  }

  @Test
  void anEarlierResultIsReplacedAndNothingElseIsLeft() throws Exception {
    CsvDirectory csv = CsvDirectory.prepare("--output", directory.toString());
    csv.write("q01", SCHEMA, List.of(row(1, "old", "1")));

    csv.write("q01", SCHEMA, List.of());

    assertThat(directory.resolve("q01.csv")).hasContent("key,text,amount,day");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(directory.resolve("q01.csv"));
    }
  }

  @Test
  void aPlaceThatCannotBeWrittenIsRefused() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "");

    assertThatThrownBy(() -> CsvDirectory.prepare("--output", file.toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--output=" + file)
        .hasMessageContaining("cannot be written to");
  }

  private static Row row(long key, String text, String amount) {
    return Row.withSchema(SCHEMA)
        .addValues(key, text, new BigDecimal(amount), LocalDate.of(1998, 12, 1))
        .build();
  }
}
