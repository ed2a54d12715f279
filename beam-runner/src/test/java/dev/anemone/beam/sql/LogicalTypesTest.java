// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedBytes;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.schemas.logicaltypes.VariableString;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns whose values are those of Beam's logical types. */
class LogicalTypesTest {

  private static final Schema SCHEMA =
      Schema.builder()
          .addInt64Field("id")
          .addLogicalTypeField("code", FixedBytes.of(2))
          .addField(Field.nullable("name", FieldType.logicalType(VariableString.of(9))))
          .addLogicalTypeField("price", FixedPrecisionNumeric.of(10, 2))
          .addLogicalTypeField("clock", SqlTypes.TIME)
          .addLogicalTypeField("moment", SqlTypes.DATETIME)
          .addArrayField("codes", FieldType.logicalType(FixedBytes.of(2)))
          .build();
  private static final List<Row> ROWS = List.of(row(1, "a"), row(2, null), row(3, "a"));
  private static final MemoryTable TABLE = new MemoryTable(SCHEMA, ROWS, 3);

  private static Row row(long id, String name) {
    int odd = (int) (id % 2);
    byte[] code = {7, (byte) odd};
    return Row.withSchema(SCHEMA)
        .addValues(
            id,
            code,
            name,
            new BigDecimal(odd + ".50"),
            LocalTime.of(odd, 30),
            LocalDateTime.of(2020, 1, 1 + odd, 10, 20),
            List.of(code))
        .build();
  }

  private static List<Row> run(String query, String... options) {
    return new SqlRun(Map.of("t", TABLE), options).run(query).rows();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM t",
        "SELECT * FROM t WHERE id < 10",
        "SELECT * FROM t ORDER BY id LIMIT 5",
        "SELECT * FROM t WHERE id < 2 UNION ALL SELECT * FROM t WHERE id >= 2",
        "SELECT t.* FROM t JOIN (SELECT DISTINCT id AS i FROM t) AS u ON t.id = u.i"
      })
  void columnsKeepTheirValues(String query) {
    assertThat(run(query))
        .extracting(row -> Row.withSchema(SCHEMA).attachValues(row.getValues()))
        .containsExactlyInAnyOrderElementsOf(ROWS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--broadcastJoinBytes=0", "--broadcastJoinBytes=1000000"})
  void tablesAreJoinedByThem(String option) {
    for (String column : List.of("code", "name", "price", "clock")) {
      assertThat(
              run(
                  "SELECT l.id, r.%1$s FROM t l JOIN t r ON l.%1$s = r.%1$s WHERE l.id < r.id"
                      .formatted(column),
                  option))
          .as(column)
          .singleElement()
          .satisfies(row -> assertThat(row.getInt64(0)).isEqualTo(1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"code", "name", "price", "clock", "moment"})
  void rowsAreGroupedByThem(String column) {
    assertThat(run("SELECT %1$s, COUNT(*) FROM t GROUP BY %1$s".formatted(column)))
        .extracting(row -> row.getInt64(1))
        .containsExactlyInAnyOrder(2L, 1L);
  }
}
