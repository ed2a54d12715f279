// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.testing.SampleDags.oneToOne;
import static dev.anemone.ir.testing.SampleDags.source;
import static dev.anemone.ir.testing.SampleDags.wordCount;

import dev.anemone.ir.IRDag;
import org.junit.jupiter.api.Test;

class IdentifierRuleTest {

  private static final CheckRule RULE = new IdentifierRule();

  @Test
  void acceptsIdsWithoutWhiteSpace() {
    assertGood(RULE, wordCount());
  }

  @Test
  void findsAVertexIdWithWhiteSpace() {
    IRDag dag = wordCount().toBuilder().add(source("two words", 1)).build();

    assertBroken(RULE, dag, "two words", "white space");
  }

  @Test
  void findsAnEmptyEdgeId() {
    IRDag dag = wordCount().toBuilder().add(oneToOne("", "read", "split")).build();

    assertBroken(RULE, dag, "", "has an id that is empty");
  }
}
