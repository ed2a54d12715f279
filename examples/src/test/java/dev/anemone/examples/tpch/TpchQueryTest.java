// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TpchQueryTest {

  @Test
  void everyQueryIsFoundByItsNumberAndHasAText() {
    assertThat(TpchQuery.ALL).hasSize(22);
    for (TpchQuery query : TpchQuery.ALL) {
      assertThat(TpchQuery.byNumber(query.number())).isSameAs(query);
      assertThat(query.sql()).contains("SELECT").startsWith("-- TPC-H Q" + query.number() + ",");
    }
  }

  @Test
  void queriesAreNamedByNumbersRangesOrAllAtOnce() {
    assertThat(numbers("6")).containsExactly(6);
    assertThat(numbers("7,1,3-5")).containsExactly(7, 1, 3, 4, 5);
    assertThat(TpchQuery.parse("all")).isEqualTo(TpchQuery.ALL);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "23; there is no query 23",
        "20-30; there is no query 23",
        "0; there is no query 0",
        "5-3; the range '5-3' is empty",
        "1,,2; '' is neither a number nor a range of them",
        "every; 'every' is neither a number nor a range of them"
      })
  void whatIsNoQueryIsRefused(String text, String reason) {
    assertThatThrownBy(() -> TpchQuery.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--query=%s: %s. Give numbers from 1 to 22, such as 6 or 1,3,5-7, or all.",
            text, reason);
  }

  private static List<Integer> numbers(String text) {
    return TpchQuery.parse(text).stream().map(TpchQuery::number).toList();
  }
}
