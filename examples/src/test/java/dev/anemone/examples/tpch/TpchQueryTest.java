package dev.anemone.examples.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TpchQueryTest {

  @Test
  void everyQueryIsFoundByItsNumberAndHasAText() {
    for (TpchQuery query : TpchQuery.ALL) {
      assertThat(TpchQuery.byNumber(query.number())).isSameAs(query);
      assertThat(query.sql()).contains("SELECT").startsWith("-- TPC-H Q" + query.number());
    }
  }

  @Test
  void anUnknownNumberListsTheKnownOnes() {
    assertThatThrownBy(() -> TpchQuery.byNumber(23))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--query=23: there is no such query. Give one of 1, 3, 6, 10.");
  }
}
