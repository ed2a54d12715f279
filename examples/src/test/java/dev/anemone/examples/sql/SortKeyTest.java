// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.Test;

class SortKeyTest {
  private static final Schema SCHEMA =
      Schema.builder().addStringField("name").addNullableField("amount", FieldType.DECIMAL).build();
  private static final Row A_TEN = row("a", "10");
  private static final Row A_NINE = row("a", "9.5");
  private static final Row B_TEN = row("b", "10.00");
  private static final Row B_NULL = row("b", null);

  @Test
  void theFirstKeyDecidesAndThenTheNext() {
    assertThat(
            SortKey.sort(
                List.of(B_TEN, A_NINE, A_TEN),
                List.of(SortKey.ascending("name"), SortKey.descending("amount"))))
        .containsExactly(A_TEN, A_NINE, B_TEN);
  }

  @Test
  void equalRowsKeepTheirOrder() {
    assertThat(SortKey.sort(List.of(B_TEN, A_TEN, A_NINE), List.of(SortKey.ascending("amount"))))
        .containsExactly(A_NINE, B_TEN, A_TEN);
    assertThat(SortKey.sort(List.of(B_TEN, A_TEN), List.of())).containsExactly(B_TEN, A_TEN);
  }

  @Test
  void nullsComeLastInBothDirections() {
    List<Row> rows = List.of(B_NULL, A_NINE, A_TEN);
    assertThat(SortKey.sort(rows, List.of(SortKey.ascending("amount"))))
        .containsExactly(A_NINE, A_TEN, B_NULL);
    assertThat(SortKey.sort(rows, List.of(SortKey.descending("amount"))))
        .containsExactly(A_TEN, A_NINE, B_NULL);
  }

  @Test
  void aColumnThatIsNotThereIsRefused() {
    assertThatThrownBy(
            () -> SortKey.sort(List.of(A_TEN, B_TEN), List.of(SortKey.ascending("price"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("price");
  }

  private static Row row(String name, String amount) {
    return Row.withSchema(SCHEMA)
        .addValues(name, amount == null ? null : new BigDecimal(amount))
        .build();
  }
}
