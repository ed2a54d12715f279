// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.sql.exec.TestRows;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.testing.CoderProperties;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.util.SerializableUtils;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.Test;

class CompactRowCoderTest {
  private final CompactRowCoder coder = CompactRowCoder.of(TestRows.SCHEMA);

  private static byte[] bytes(Coder<Row> coder, Row row) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    coder.encode(row, out);
    return out.toByteArray();
  }

  @Property(tries = 50)
  void rowsSurviveAndAreEqualWhenTheirBytesAre(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    Row before = TestRows.random(random, 1).get(0);
    int length = 0;
    int lengthOfBeams = 0;
    for (Row row : TestRows.random(random, 20)) {
      byte[] bytes = bytes(coder, row);
      ByteArrayInputStream in = new ByteArrayInputStream(bytes);
      assertThat(SerializableUtils.clone(coder).decode(in)).isEqualTo(row);
      assertThat(in.available()).isZero();
      assertThat(Arrays.equals(bytes, bytes(coder, before))).isEqualTo(row.equals(before));
      length += bytes.length;
      lengthOfBeams += bytes(RowCoder.of(TestRows.SCHEMA), row).length;
      before = row;
    }
    assertThat(length).isLessThan(lengthOfBeams);
  }

  @Test
  void otherTypesAreCodedAsBeamCodesThem() throws Exception {
    Schema inner = Schema.builder().addStringField("s").addByteArrayField("bytes").build();
    Schema schema =
        Schema.builder()
            .addRowField("row", inner)
            .addArrayField("array", FieldType.INT32)
            .addNullableField("map", FieldType.map(FieldType.STRING, FieldType.FLOAT))
            .build();
    Row row =
        Row.withSchema(schema)
            .addValues(
                Row.withSchema(inner).addValues("text", new byte[] {1, 2}).build(),
                List.of(1, 2, 3),
                null)
            .build();
    CoderProperties.coderDecodeEncodeEqual(CompactRowCoder.of(schema), row);
  }

  @Test
  void aCollectionKeepsItsSchema() {
    assertThat(
            Pipeline.create()
                .apply(Create.of(TestRows.random(new Random(1), 1)).withCoder(coder))
                .getSchema())
        .isEqualTo(TestRows.SCHEMA);
  }

  @Test
  void aNullWhereThereMayBeNoneIsAnError() {
    Schema schema = Schema.builder().addStringField("s").build();
    Row wrong = Row.withSchema(schema).attachValues((Object) null);
    assertThatThrownBy(() -> bytes(CompactRowCoder.of(schema), wrong))
        .hasMessageContaining("column 0 is not nullable");
  }
}
