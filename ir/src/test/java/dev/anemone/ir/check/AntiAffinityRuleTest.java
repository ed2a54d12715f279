// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.check.RuleAssertions.withVertexProperty;
import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.wordCount;

import dev.anemone.ir.property.AntiAffinity;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AntiAffinityRuleTest {

  private static final CheckRule RULE = new AntiAffinityRule();

  @Test
  void acceptsTasksThatExist() {
    assertGood(
        RULE, withVertexProperty(annotatedWordCount(), "count", new AntiAffinity(Set.of(0, 3))));
    assertGood(RULE, withVertexProperty(wordCount(), "count", new AntiAffinity(Set.of(99))));
  }

  @Test
  void findsATaskBeyondTheParallelism() {
    assertBroken(
        RULE,
        withVertexProperty(annotatedWordCount(), "count", new AntiAffinity(Set.of(0, 4))),
        "count",
        "task 4, which is not among its tasks 0 to 3");
  }

  @Test
  void findsANegativeTask() {
    assertBroken(
        RULE,
        withVertexProperty(wordCount(), "count", new AntiAffinity(Set.of(-1))),
        "count",
        "task -1");
  }
}
