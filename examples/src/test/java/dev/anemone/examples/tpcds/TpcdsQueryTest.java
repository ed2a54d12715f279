// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpcds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TpcdsQueryTest {

  @Test
  void everyQueryHasAText() {
    assertThat(TpcdsQuery.ALL).hasSize(103);
    assertThat(TpcdsQuery.ALL).extracting(TpcdsQuery::number).contains(1, 99).doesNotContain(0);
    for (TpcdsQuery query : TpcdsQuery.ALL) {
      assertThat(query.sql())
          .startsWith("-- TPC-DS Q" + query.number() + ",")
          .containsIgnoringCase("SELECT");
    }
  }

  @Test
  void queriesAreNamedByNumbersPartsRangesOrAllAtOnce() {
    assertThat(names("3")).containsExactly("3");
    assertThat(names("14b,1,13-14")).containsExactly("14b", "1", "13", "14a", "14b");
    assertThat(TpcdsQuery.parse("all")).isEqualTo(TpcdsQuery.ALL);
    assertThat(TpcdsQuery.parse("23a").get(0).label()).isEqualTo("q23a");
    assertThat(TpcdsQuery.parse("3").get(0).label()).isEqualTo("q03");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "100; there is no query 100",
        "0; there is no query 0",
        "13a; there is no query 13a",
        "14c; there is no query 14c",
        "5-3; the range '5-3' is empty",
        "a; 'a' is neither a number nor a range of them"
      },
      quoteCharacter = '"')
  void whatIsNoQueryIsRefused(String text, String reason) {
    assertThatThrownBy(() -> TpcdsQuery.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--query=%s: %s. Give numbers from 1 to 99, such as 6 or 1,3,5-7, or all.",
            text, reason);
  }

  private static List<String> names(String text) {
    return TpcdsQuery.parse(text).stream().map(TpcdsQuery::name).toList();
  }
}
