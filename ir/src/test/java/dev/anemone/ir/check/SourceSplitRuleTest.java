// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.check.RuleAssertions.withVertexProperty;
import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.wordCount;

import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.SplitAssignment;
import java.util.List;
import org.junit.jupiter.api.Test;

class SourceSplitRuleTest {

  private static final CheckRule RULE = new SourceSplitRule();

  @Test
  void acceptsATaskPerPartAndAnAssignment() {
    assertGood(RULE, annotatedWordCount());
    assertGood(RULE, withVertexProperty(wordCount(), "read", new Parallelism(3)));
  }

  @Test
  void findsTooFewTasksForThePartsWithoutAnAssignment() {
    assertBroken(
        RULE,
        withVertexProperty(wordCount(), "read", new Parallelism(2)),
        "read",
        "has Parallelism 2, but 3 parts");
  }

  @Test
  void findsAnAssignmentOfAnotherSize() {
    assertBroken(
        RULE,
        withVertexProperty(annotatedWordCount(), "read", new Parallelism(5)),
        "read",
        "has Parallelism 5, but 2 entries in its SplitAssignment");
  }

  @Test
  void findsAPartThatIsReadTwice() {
    assertBroken(
        RULE,
        withVertexProperty(
            annotatedWordCount(),
            "read",
            new SplitAssignment(List.of(List.of(0, 1), List.of(2, 1)))),
        "read",
        "reads part 1 2 times");
  }

  @Test
  void findsAPartThatIsNotRead() {
    assertBroken(
        RULE,
        withVertexProperty(
            annotatedWordCount(), "read", new SplitAssignment(List.of(List.of(0), List.of(2)))),
        "read",
        "reads part 1 0 times");
  }

  @Test
  void findsAPartThatIsNotThere() {
    assertBroken(
        RULE,
        withVertexProperty(
            annotatedWordCount(),
            "read",
            new SplitAssignment(List.of(List.of(0, 1, 2), List.of(3)))),
        "read",
        "assigns part 3, but has only 3 parts");
  }

  @Test
  void findsAnAssignmentOnAnOperator() {
    assertBroken(
        RULE,
        withVertexProperty(wordCount(), "split", new SplitAssignment(List.of(List.of(0)))),
        "split",
        "reads no parts of a source");
  }
}
