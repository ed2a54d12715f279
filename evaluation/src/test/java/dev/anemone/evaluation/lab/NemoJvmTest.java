// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class NemoJvmTest {
  @Test
  void hasTheOptionsThatTheBuildGivesItsOwnTests() throws IOException {
    assertThat(NemoJvm.options())
        .contains("--add-opens=java.base/java.lang=ALL-UNNAMED")
        .allSatisfy(option -> assertThat(option).startsWith("--add-opens=java.base/"));
  }
}
