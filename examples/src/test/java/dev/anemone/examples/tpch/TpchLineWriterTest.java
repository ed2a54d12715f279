// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import io.trino.tpch.TpchEntity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TpchLineWriterTest {
  private static final int LINES = 20_000;

  @ParameterizedTest
  @EnumSource(TpchTable.class)
  void writesTheLinesOfTheGenerator(TpchTable table) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    TpchLineWriter writer = new TpchLineWriter(out);
    StringBuilder expected = new StringBuilder();
    int lines = 0;
    for (TpchEntity entity :
        io.trino.tpch.TpchTable.getTable(table.tableName()).createGenerator(0.01, 1, 1)) {
      writer.write(entity);
      expected.append(entity.toLine()).append('\n');
      if (++lines == LINES) {
        break;
      }
    }

    assertThat(out.toString(StandardCharsets.US_ASCII)).isEqualTo(expected.toString());
  }
}
