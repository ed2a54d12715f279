// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.ndp.RowForm;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;

class RowBatchesTest {

  private static final Schema SCHEMA =
      Schema.builder()
          .addNullableField("b", Schema.FieldType.BOOLEAN)
          .addNullableField("i", Schema.FieldType.INT32)
          .addNullableField("l", Schema.FieldType.INT64)
          .addNullableField("f", Schema.FieldType.DOUBLE)
          .addNullableField("d", Schema.FieldType.DECIMAL)
          .addNullableField("day", Schema.FieldType.logicalType(SqlTypes.DATE))
          .addNullableField("at", Schema.FieldType.DATETIME)
          .addNullableField("s", Schema.FieldType.STRING)
          .build();

  private static final RowType TYPE =
      new RowType(
          List.of(
              Field.nullable("b", SimpleType.BOOLEAN),
              Field.nullable("i", SimpleType.INT32),
              Field.nullable("l", SimpleType.INT64),
              Field.nullable("f", SimpleType.DOUBLE),
              Field.nullable("d", new DecimalType(18, 2)),
              Field.nullable("day", SimpleType.DATE),
              Field.nullable("at", SimpleType.TIMESTAMP),
              Field.nullable("s", SimpleType.STRING)));

  private static final Row NULLS =
      Row.withSchema(SCHEMA).addValues(Arrays.asList(new Object[8])).build();

  private static Row row(int i) {
    return Row.withSchema(SCHEMA)
        .addValues(
            i % 2 == 0,
            i,
            i * 1_000_000_000L,
            i / 8.0,
            new BigDecimal(-i).movePointLeft(3),
            LocalDate.ofEpochDay(-i),
            Instant.ofEpochMilli(-i * 86_400_001L),
            "é".repeat(i % 50))
        .build();
  }

  @Test
  void rowsComeBackAsTheyWere() throws Exception {
    List<Row> rows = new ArrayList<>(IntStream.range(0, 20_000).mapToObj(i -> row(i)).toList());
    rows.add(100, NULLS);
    List<Row> back = new ArrayList<>();
    try (RowBatches batches = RowBatches.of(RowBatches.withDigits(TYPE, rows), rows.iterator())) {
      while (batches.loadNextBatch()) {
        new RowForm(SCHEMA).open(back::add).accept(batches.getVectorSchemaRoot());
      }
    }
    assertThat(back).hasSameSizeAs(rows);
    for (int i = 0; i < rows.size(); i++) {
      assertThat(back.get(i).getValues())
          .usingComparatorForType(BigDecimal::compareTo, BigDecimal.class)
          .usingRecursiveComparison()
          .isEqualTo(rows.get(i).getValues());
    }
  }

  @Test
  void decimalsHaveTheDigitsOfTheRows() {
    assertThat(
            RowBatches.withDigits(
                TYPE,
                List.of(NULLS, decimal("12345"), decimal("0.0000001"), decimal("2.00000000000"))))
        .extracting(type -> type.field("d").type().type())
        .isEqualTo(new DecimalType(12, 7));
    assertThat(RowBatches.withDigits(TYPE, List.of(NULLS)).field("d").type().type())
        .isEqualTo(new DecimalType(1, 0));
    assertThat(RowBatches.withDigits(TYPE, List.of(decimal("1E+5"))).field("d").type().type())
        .isEqualTo(new DecimalType(6, 0));
  }

  @Test
  void decimalsThatNeedTooManyDigitsAreRefused() {
    assertThatThrownBy(
            () -> RowBatches.withDigits(TYPE, List.of(decimal("1E+30"), decimal("1E-8"))))
        .hasMessageContaining("Column d has decimals with 31 digits before the point")
        .hasMessageContaining("8 digits behind");
  }

  private static Row decimal(String value) {
    List<Object> values = new ArrayList<>(row(1).getValues());
    values.set(4, new BigDecimal(value));
    return Row.withSchema(SCHEMA).addValues(values).build();
  }

  @Test
  void whatRowsFailWithIsTheCause() throws Exception {
    IllegalStateException failure = new IllegalStateException("no more rows");
    Iterator<Row> failing =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return true;
          }

          @Override
          public Row next() {
            throw failure;
          }
        };
    try (RowBatches batches = RowBatches.of(TYPE, failing)) {
      assertThatThrownBy(batches::loadNextBatch).isInstanceOf(IOException.class).hasCause(failure);
    }
  }
}
