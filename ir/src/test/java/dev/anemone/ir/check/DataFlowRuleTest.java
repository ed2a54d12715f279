// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.check.RuleAssertions.withEdgeProperty;
import static dev.anemone.ir.check.RuleAssertions.withVertexProperty;
import static dev.anemone.ir.testing.SampleDags.twoShuffles;
import static dev.anemone.ir.testing.SampleDags.wordCount;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.ScheduleGroup;
import org.junit.jupiter.api.Test;

class DataFlowRuleTest {

  private static final CheckRule RULE = new DataFlowRule();

  private static IRDag withGroups(DataFlow flow, int read, int split, int count) {
    IRDag dag = withEdgeProperty(wordCount(), "words", flow);
    dag = withVertexProperty(dag, "read", new ScheduleGroup(read));
    dag = withVertexProperty(dag, "split", new ScheduleGroup(split));
    return withVertexProperty(dag, "count", new ScheduleGroup(count));
  }

  @Test
  void acceptsPushInAGroupAndPullBetweenGroups() {
    assertGood(RULE, withGroups(DataFlow.PUSH, 0, 0, 0));
    assertGood(RULE, withGroups(DataFlow.PULL, 0, 0, 1));
    assertGood(RULE, withEdgeProperty(wordCount(), "words", DataFlow.PULL));
  }

  @Test
  void findsPushBetweenGroups() {
    assertBroken(
        RULE,
        withGroups(DataFlow.PUSH, 0, 0, 1),
        "words",
        "is PUSH, but leads from schedule group");
  }

  @Test
  void findsPullInAGroup() {
    assertBroken(
        RULE,
        withGroups(DataFlow.PULL, 0, 1, 1),
        "words",
        "is PULL, but leads from schedule group");
  }

  @Test
  void aFusedEdgeMayPullInAGroupButNotPushOutOfIt() {
    assertGood(RULE, withEdgeProperty(withGroups(DataFlow.PULL, 0, 0, 1), "lines", DataFlow.PULL));
    assertBroken(
        RULE,
        withEdgeProperty(withGroups(DataFlow.PULL, 0, 1, 2), "lines", DataFlow.PUSH),
        "lines",
        "its ends must be in one group");
  }

  @Test
  void findsABroadcastThatPullsInAGroup() {
    IRDag dag = withEdgeProperty(twoShuffles(), "side", DataFlow.PULL);
    dag = withVertexProperty(dag, "c", new ScheduleGroup(0));

    assertBroken(RULE, withVertexProperty(dag, "count", new ScheduleGroup(0)), "side", "is PULL");
    assertGood(RULE, withVertexProperty(dag, "count", new ScheduleGroup(1)));
  }
}
