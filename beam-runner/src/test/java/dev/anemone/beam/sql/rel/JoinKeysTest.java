// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.sql.row.CompactRowCoder;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.Test;

class JoinKeysTest {

  private static final Schema SCHEMA =
      Schema.builder()
          .addNullableField("k", FieldType.INT64)
          .addByteArrayField("b")
          .addArrayField("bs", FieldType.BYTES)
          .build();

  private static byte[] unmatched(int... content) {
    byte[] bytes = new byte[content.length];
    for (int i = 0; i < content.length; i++) {
      bytes[i] = (byte) content[i];
    }
    return new JoinKeys(List.of(0), List.of(false))
        .unmatchedBytes(
            Row.withSchema(SCHEMA).addValues(null, bytes, List.of(bytes.clone())).build(),
            CompactRowCoder.of(SCHEMA));
  }

  @Test
  void rowsThatMatchNothingAreSpreadByTheirContent() {
    assertThat(unmatched(1, 2, 3)).isEqualTo(unmatched(1, 2, 3)).isNotEqualTo(unmatched(1, 2, 4));
    assertThat(JoinKeys.isUnmatched(unmatched(1, 2, 3))).isTrue();
  }
}
