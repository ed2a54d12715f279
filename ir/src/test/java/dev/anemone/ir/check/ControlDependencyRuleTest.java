// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.testing.SampleDags.oneToOne;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertSampling;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ControlDependencyRuleTest {

  private static final CheckRule RULE = new ControlDependencyRule();

  private static final IRDag SAMPLED =
      wordCount().apply(InsertSampling.of("words", Set.of("split"), List.of(0), "m", "Test"));

  @Test
  void acceptsADependencyOnAnAggregation() {
    assertGood(RULE, SAMPLED);
  }

  @Test
  void findsADependencyOnSomethingElse() {
    assertBroken(
        RULE,
        wordCount().toBuilder().add(new ControlDependency("read", "write")).build(),
        "write",
        "waits for a message of read, which is no metric aggregation");
  }

  @Test
  void findsAStageThatWaitsForAMessageOfThoseThatWaitForIt() {
    String reader = SAMPLED.edge("words").to();
    IRDag looped = SAMPLED.toBuilder().add(oneToOne("back", reader, "m-collection-words")).build();
    assertThat(looped.waitCycle()).contains(reader, "m-aggregation");
    assertThat(RULE.check(looped)).hasSize(1);
  }

  @Test
  void findsACycleWithEdges() {
    assertBroken(
        RULE,
        SAMPLED.toBuilder().add(new ControlDependency("m-aggregation", "read")).build(),
        "read",
        "waits for itself, through the vertices [read, split-sampled, m-collection-words,"
            + " m-aggregation]");
  }
}
