// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.Test;

class AlignedTableTest {
  private static final Schema SCHEMA =
      Schema.builder()
          .addInt64Field("id")
          .addNullableField("amount", FieldType.DECIMAL)
          .addField("day", FieldType.logicalType(SqlTypes.DATE))
          .addStringField("note")
          .build();

  @Test
  void numbersStandRightAndTextLeftWithoutTrailingBlanks() {
    Row first =
        Row.withSchema(SCHEMA)
            .addValues(1L, new BigDecimal("1E+3"), LocalDate.of(1995, 3, 5), "long note")
            .build();
    Row second =
        Row.withSchema(SCHEMA).addValues(22L, null, LocalDate.of(1995, 12, 31), "n").build();

    assertThat(AlignedTable.format(SCHEMA, List.of(first, second)))
        .isEqualTo(
            """
            id  amount  day         note
            --  ------  ----------  ---------
             1    1000  1995-03-05  long note
            22    NULL  1995-12-31  n
            """);
  }

  @Test
  void withoutRowsTheNamesAreThere() {
    assertThat(AlignedTable.format(SCHEMA, List.of()))
        .isEqualTo("id  amount  day  note\n--  ------  ---  ----\n");
  }
}
