// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.testing.CoderProperties;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.beam.sdk.values.KV;
import org.junit.jupiter.api.Test;

class RecordCoderTest {
  private final List<byte[]> records = Records.generated(2);

  @Test
  @SuppressWarnings("deprecation") // Coder.Context, which the check asks for.
  void keepsWhatBeamAsksOfACoder() throws Exception {
    CoderProperties.coderSerializable(RecordCoder.of());
    CoderProperties.coderDeterministic(RecordCoder.of(), records.get(0), records.get(0).clone());
    CoderProperties.structuralValueDecodeEncodeEqual(RecordCoder.of(), records.get(1));
    CoderProperties.testByteCount(
        RecordCoder.of(), Coder.Context.NESTED, records.toArray(new byte[0][]));
  }

  @Test
  void aRecordHasNoLengthBeforeItWhereItIsNested() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] record : records) {
      RecordCoder.of().encode(record, out);
    }

    assertThat(out.toByteArray()).isEqualTo(Records.joined(records));
    ByteArrayInputStream in = new ByteArrayInputStream(out.toByteArray());
    for (byte[] record : records) {
      assertThat(RecordCoder.of().decode(in)).isEqualTo(record);
    }
    assertThat(
            CoderUtils.encodeToByteArray(
                KvCoder.of(VarIntCoder.of(), RecordCoder.of()), KV.of(1, records.get(0))))
        .hasSize(1 + TeraRecord.BYTES);
  }

  @Test
  void whatIsNotARecordIsRefused() {
    assertThatThrownBy(() -> RecordCoder.of().encode(new byte[99], new ByteArrayOutputStream()))
        .isInstanceOf(CoderException.class)
        .hasMessageContaining("99");
    assertThatThrownBy(() -> RecordCoder.of().decode(new ByteArrayInputStream(new byte[42])))
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("42");
  }
}
