// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ByteSizeTest {
  @ParameterizedTest
  @CsvSource({"17, 17", "10k, 10000", "200m, 200000000", "200M, 200000000", "3g, 3000000000"})
  void readsBytesAndTheirMultiples(String text, long bytes) {
    assertThat(ByteSize.of(text).bytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "m", "1.5g", "10kb", "ten", "99999999999g", "10 k"})
  void namesWhatIsNotASize(String text) {
    assertThatThrownBy(() -> ByteSize.of(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage(
            "'" + text + "' is not a size. Give a number of bytes, or such as 10k, 200m, 1g.");
  }
}
