// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsumedOutputTest {

  private static final ConsumedOutput OUTPUT = new ConsumedOutput(3, 10, 2);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "attempt_1700000000000_0001_1_03_000000_0_10003-10",
        "attempt_1700000000000_0001_1_03_000712_1_10004-10"
      })
  void hasTheBlocksOfItsVertexAndLink(String name) {
    assertThat(OUTPUT.has(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "attempt_1700000000000_0001_1_03_000000_2_10003-10",
        "attempt_1700000000000_0001_1_03_000000_0_10003-1",
        "attempt_1700000000000_0001_1_03_000000_0_10003",
        "attempt_1700000000000_0001_1_13_000000_0_10003-10",
        "attempt_1700000000000_0001_1_03_000000_0_10003_table0",
        "fetched-10"
      })
  void hasNoLaterAttemptsAndNothingElse(String name) {
    assertThat(OUTPUT.has(name)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 10})
  void namesTellLinksApart(int link) {
    String name = ConsumedOutput.blockName("attempt_1700000000000_0001_1_03_000000_0_10003", link);
    assertThat(OUTPUT.has(name)).isEqualTo(link == 10);
  }
}
