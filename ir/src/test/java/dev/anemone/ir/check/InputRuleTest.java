// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.testing.SampleDags.oneToOne;
import static dev.anemone.ir.testing.SampleDags.operator;
import static dev.anemone.ir.testing.SampleDags.source;
import static dev.anemone.ir.testing.SampleDags.wordCount;

import dev.anemone.ir.edit.InsertSampling;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InputRuleTest {

  private static final CheckRule RULE = new InputRule();

  @Test
  void acceptsAClonedSourceWithoutInput() {
    assertGood(
        RULE,
        wordCount()
            .apply(InsertSampling.of("words", Set.of("read", "split"), List.of(0), "m", "Test")));
  }

  @Test
  void findsAnOperatorWithoutInput() {
    assertBroken(
        RULE,
        wordCount().toBuilder().add(operator("lonely")).build(),
        "lonely",
        "has no in-edge and is not a source");
  }

  @Test
  void findsASourceWithInput() {
    assertBroken(
        RULE,
        wordCount().toBuilder()
            .add(source("other", 1))
            .add(oneToOne("wrong", "write", "other"))
            .build(),
        "other",
        "is a source and must have no in-edge");
  }
}
