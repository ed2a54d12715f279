// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.sql.exec.TestRows;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.util.SerializableUtils;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.Test;

class RowKeyTest {
  private static final List<Integer> ALL =
      IntStream.range(0, TestRows.SCHEMA.getFieldCount()).boxed().toList();

  private final RowKeyFactory keys = new RowKeyFactory(TestRows.SCHEMA, ALL);
  private final RowKeyCoder coder = RowKeyCoder.of(TestRows.SCHEMA, ALL);

  private static <T> byte[] bytes(Coder<T> coder, T value) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    coder.encode(value, out);
    return out.toByteArray();
  }

  @Property(tries = 50)
  void survivesItsCoder(@ForAll long seed) throws IOException {
    for (Row row : TestRows.random(new Random(seed), 20)) {
      RowKey key = keys.key(row);
      byte[] bytes = bytes(coder, key);
      ByteArrayInputStream in = new ByteArrayInputStream(bytes);
      RowKey decoded = SerializableUtils.clone(coder).decode(in);
      assertThat(decoded).isEqualTo(key).hasSameHashCodeAs(key);
      assertThat(in.available()).isZero();
      assertThat(bytes(coder, decoded)).isEqualTo(bytes);
    }
  }

  @Property(tries = 200)
  void equalDecimalsAreEqualInBytesAndOthersAreNot(
      @ForAll BigDecimal first, @ForAll BigDecimal second) throws IOException {
    BigDecimal same = first.setScale(first.scale() + 3);
    assertThat(key(first)).isEqualTo(key(same));
    assertThat(decimalBytes(first)).isEqualTo(decimalBytes(same));
    assertThat(key(first).equals(key(second))).isEqualTo(first.compareTo(second) == 0);
    assertThat(Arrays.equals(decimalBytes(first), decimalBytes(second)))
        .isEqualTo(first.compareTo(second) == 0);
  }

  private static final Schema DECIMAL = Schema.builder().addDecimalField("d").build();

  private static RowKey key(BigDecimal decimal) {
    return new RowKeyFactory(DECIMAL, List.of(0))
        .key(Row.withSchema(DECIMAL).addValues(decimal).build());
  }

  private static byte[] decimalBytes(BigDecimal decimal) throws IOException {
    return bytes(RowKeyCoder.of(DECIMAL, List.of(0)), key(decimal));
  }

  @Test
  void bothZerosAreOneKey() {
    Schema schema = Schema.builder().addDoubleField("x").build();
    RowKeyFactory doubles = new RowKeyFactory(schema, List.of(0));
    assertThat(doubles.key(Row.withSchema(schema).addValues(-0.0).build()))
        .isEqualTo(doubles.key(Row.withSchema(schema).addValues(0.0).build()));
  }

  @Test
  void bytesAndTimesAreKeysByTheirContent() {
    Schema schema =
        Schema.builder()
            .addByteArrayField("b")
            .addLogicalTypeField("t", SqlTypes.TIME)
            .addFloatField("f")
            .build();
    RowKeyFactory factory = new RowKeyFactory(schema, List.of(0, 1, 2));
    RowKey key =
        factory.key(
            Row.withSchema(schema).addValues(new byte[] {1, 2}, LocalTime.NOON, -0f).build());
    assertThat(
            factory.key(
                Row.withSchema(schema)
                    .addValues(new byte[] {1, 2}, LocalTime.of(12, 0), 0f)
                    .build()))
        .isEqualTo(key)
        .hasSameHashCodeAs(key);
    assertThat(
            factory.key(
                Row.withSchema(schema).addValues(new byte[] {1, 3}, LocalTime.NOON, 0f).build()))
        .isNotEqualTo(key);
  }

  @Test
  void nestedValuesAreKeysByTheirContent() throws IOException {
    Schema inner = Schema.builder().addNullableField("d", FieldType.DECIMAL).build();
    Schema schema =
        Schema.builder()
            .addArrayField("a", FieldType.array(FieldType.row(inner)))
            .addMapField("m", FieldType.INT64, FieldType.array(FieldType.DOUBLE))
            .build();
    List<Integer> both = List.of(0, 1);
    RowKeyFactory factory = new RowKeyFactory(schema, both);
    RowKeyCoder nested = RowKeyCoder.of(schema, both);

    RowKey key = factory.key(nested(schema, inner, "1.0", 1L, 2L));
    RowKey equal = factory.key(nested(schema, inner, "1.00", 2L, 1L));
    RowKey other = factory.key(nested(schema, inner, "1.01", 1L, 2L));

    assertThat(equal).isEqualTo(key).hasSameHashCodeAs(key);
    assertThat(bytes(nested, equal)).isEqualTo(bytes(nested, key));
    assertThat(nested.decode(new ByteArrayInputStream(bytes(nested, key)))).isEqualTo(key);
    assertThat(other).isNotEqualTo(key);
    assertThat(bytes(nested, other)).isNotEqualTo(bytes(nested, key));
  }

  private static Row nested(Schema schema, Schema inner, String decimal, long first, long second) {
    Row part = Row.withSchema(inner).addValues(new BigDecimal(decimal)).build();
    Row none = Row.withSchema(inner).addValue(null).build();
    Map<Long, List<Double>> map = new LinkedHashMap<>();
    map.put(first, List.of(-0.0));
    map.put(second, List.of(0.0));
    return Row.withSchema(schema)
        .addValue(List.of(List.of(part, none), List.of()))
        .addValue(map)
        .build();
  }
}
