// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerTest {
  private static final Answer ANSWER = new Answer(List.of("name,share", "A,0.33333333", "B,2"));

  @Test
  void rowsMayComeInAnyOrderAndQuotientsWithOtherDigits() {
    assertThat(ANSWER.isSameAs(new Answer(List.of("name,share", "B,2.00", "A,0.333333333333"))))
        .isTrue();
  }

  @Test
  void otherValuesColumnsAndNumbersOfRowsAreDifferent() {
    for (List<String> other :
        List.of(
            List.of("name,share", "A,0.33334", "B,2"),
            List.of("name,share", "C,0.33333333", "B,2"),
            List.of("name,part", "A,0.33333333", "B,2"),
            List.of("name,share", "A,0.33333333", "B,"),
            List.of("name,share", "A,0.33333333"),
            List.of("name,share", "A,0.33333333", "B,2", "B,2"))) {
      assertThat(ANSWER.isSameAs(new Answer(other))).as("%s", other).isFalse();
    }
  }
}
