// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.format.FileFormat;
import dev.anemone.ndp.format.ParquetFormat;
import dev.anemone.ndp.format.TextFormat;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestJsonTest {

  private static final RowType ROW = RowType.of(Field.nullable("name", SimpleType.STRING));

  @Test
  void requestsWithAnyFormatAreReadAsTheyWereWritten() {
    for (FileFormat format :
        List.of(CsvFormat.of('|'), new ParquetFormat(), new TextFormat("MySQL"))) {
      PlanRequest request = request(format);
      assertThat(RequestJson.read(RequestJson.write(request))).isEqualTo(request);
    }
  }

  @Test
  void dialectsThatNobodyKnowsAreRefused() {
    String request =
        new String(RequestJson.write(request(new TextFormat("MySQL"))), StandardCharsets.UTF_8);
    byte[] other = request.replace("MySQL", "Pipes").getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> RequestJson.read(other))
        .isInstanceOf(InvalidPlanException.class)
        .hasMessageContaining("there is no format of CSV called Pipes");
  }

  private static PlanRequest request(FileFormat format) {
    return new PlanRequest(format, ROW, Split.WHOLE, RelationalPlan.of(ROW));
  }
}
