// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Conditions here are texts, and each capital in one may fail. */
class AskingOrderTest {

  private static List<List<String>> levels(String... conditions) {
    return AskingOrder.levels(List.of(conditions), AskingOrderTest::failures);
  }

  private static Set<Integer> failures(String condition) {
    return condition.chars().filter(Character::isUpperCase).boxed().collect(Collectors.toSet());
  }

  @Test
  void whatCannotFailComesFirst() {
    assertThat(levels("Ab", "c", "d", "eF"))
        .containsExactly(List.of("c", "d"), List.of("Ab", "eF"));
  }

  @Test
  void whatFailsByLessComesBeforeWhatFailsByMore() {
    assertThat(levels("ABC", "A", "AB", "c"))
        .containsExactly(List.of("c"), List.of("A"), List.of("AB"), List.of("ABC"));
  }

  @Test
  void whatFailsByOtherPartsOrTheSameKeepsItsOrder() {
    assertThat(levels("AB", "C", "BA")).containsExactly(List.of("AB", "C", "BA"));
  }

  @Test
  void ofNoConditionsThereIsNoLevel() {
    assertThat(levels()).isEmpty();
  }
}
