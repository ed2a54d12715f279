// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class MegabytesTest {
  @ParameterizedTest
  @CsvSource({"512m, 512", "1g, 1024", "2G, 2048"})
  void readsSizesAsAJvmDoes(String text, int megabytes) {
    assertThat(new Megabytes().convert(text)).isEqualTo(megabytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "512", "1.5g", "512mb", "m", "9999999m"})
  void namesWhatIsNotASize(String text) {
    assertThatThrownBy(() -> new Megabytes().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining("512m");
  }
}
