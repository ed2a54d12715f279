// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScriptTest {

  @Test
  void semicolonsInQuotesAndCommentsEndNothing() {
    assertThat(Script.of("SELECT ';', \";\" -- ; \n /* ; */ FROM `a;b`; SELECT 2").statements())
        .extracting(Statement::text)
        .containsExactly("SELECT ';', \";\" -- ; \n /* ; */ FROM `a;b`", "SELECT 2");
  }

  @Test
  void statementsKnowTheirPlace() {
    assertThat(Script.of("-- first\nA;\n  B;").statements())
        .containsExactly(new Statement("A", 2, 1), new Statement("B", 3, 3));
  }

  @Test
  void onlyWhatHasItsEndIsComplete() {
    assertThat(Script.of("SELECT 1").complete()).isFalse();
    assertThat(Script.of("SELECT ';").complete()).isFalse();
    assertThat(Script.of("/* SELECT 1;").complete()).isFalse();
    assertThat(Script.of("SELECT 1;").complete()).isTrue();
    assertThat(Script.of(".timer on").complete()).isTrue();
    assertThat(Script.of("").complete()).isTrue();
  }

  @Test
  void filesStandWhereTablesStand() {
    FileReferences references =
        FileReferences.of("SELECT TRIM(BOTH FROM 'a') , 'b' FROM 'c.csv' JOIN 'd.csv' ON 'e' = x");

    assertThat(references.files()).containsExactly("c.csv", "d.csv");
    assertThat(references.sql())
        .isEqualTo("SELECT TRIM(BOTH FROM 'a') , 'b' FROM `c.csv` JOIN `d.csv` ON 'e' = x");
  }
}
