// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.check.RuleAssertions.withVertexProperty;
import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.wordCount;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.ir.property.ScheduleGroup;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScheduleGroupRuleTest {

  private static final CheckRule RULE = new ScheduleGroupRule();

  @Test
  void acceptsGroupsThatRiseOrStay() {
    assertGood(RULE, annotatedWordCount());
  }

  @Test
  void findsAGroupThatIsLowerThanItsProducers() {
    assertBroken(
        RULE,
        withVertexProperty(annotatedWordCount(), "write", new ScheduleGroup(0)),
        "write",
        "is in schedule group 0, but waits for count in the later group 1");
  }

  @Test
  void looksThroughVerticesWithoutAGroup() {
    IRDag dag = withVertexProperty(wordCount(), "read", new ScheduleGroup(3));

    assertBroken(
        RULE,
        withVertexProperty(dag, "write", new ScheduleGroup(2)),
        "write",
        "waits for read in the later group 3");
  }

  @Test
  void controlDependenciesAreWaitedForToo() {
    IRDag dag =
        annotatedWordCount()
            .apply(InsertSampling.of("words", Set.of("read", "split"), List.of(0), "m", "Test"));

    assertGood(RULE, dag);
    assertBroken(
        RULE,
        withVertexProperty(dag, "m-aggregation", new ScheduleGroup(1)),
        "read",
        "waits for m-aggregation in the later group 1");
  }
}
