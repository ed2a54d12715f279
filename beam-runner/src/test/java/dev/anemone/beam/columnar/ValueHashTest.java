// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;

class ValueHashTest {

  @Test
  void whatIsEqualInSqlStaysTogether() {
    assertThat(part(FieldType.DECIMAL, new BigDecimal("1.5")))
        .isEqualTo(part(FieldType.DECIMAL, new BigDecimal("1.500")));
    assertThat(part(FieldType.DECIMAL, new BigDecimal("0")))
        .isEqualTo(part(FieldType.DECIMAL, new BigDecimal("0.00")));
    assertThat(part(FieldType.DOUBLE, 0.0)).isEqualTo(part(FieldType.DOUBLE, -0.0));
    assertThat(part(FieldType.DOUBLE, Double.NaN))
        .isEqualTo(part(FieldType.DOUBLE, Double.longBitsToDouble(0x7ff8000000000001L)));
    assertThat(part(FieldType.DATETIME, Instant.ofEpochMilli(5)))
        .isEqualTo(part(FieldType.DATETIME, Instant.ofEpochMilli(5).toDateTime()));
    assertThat(part(FieldType.STRING, null)).isEqualTo(part(FieldType.STRING, null));
  }

  @Test
  void numbersThatFollowEachOtherAreSpread() {
    Set<Integer> parts = new HashSet<>();
    for (long i = 0; i < 64; i++) {
      parts.add(part(FieldType.INT64, i));
    }
    assertThat(parts).hasSizeGreaterThan(14).allMatch(part -> part >= 0 && part < 16);
  }

  private static int part(FieldType type, Object value) {
    Schema schema = Schema.builder().addNullableField("f", type).build();
    return ValueHash.part(
        Row.withSchema(schema).attachValues(new Object[] {value}), List.of(0), 16);
  }
}
