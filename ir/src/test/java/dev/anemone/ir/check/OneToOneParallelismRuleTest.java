// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.check.RuleAssertions.withVertexProperty;
import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.ir.property.Parallelism;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OneToOneParallelismRuleTest {

  private static final CheckRule RULE = new OneToOneParallelismRule();

  @Test
  void acceptsEqualAndUnknownParallelism() {
    assertGood(RULE, annotatedWordCount());
    assertGood(RULE, withVertexProperty(wordCount(), "read", new Parallelism(7)));
  }

  @Test
  void findsUnequalParallelism() {
    assertBroken(
        RULE,
        withVertexProperty(annotatedWordCount(), "write", new Parallelism(3)),
        "counts",
        "joins 4 tasks with 3");
  }

  @Test
  void aCloneReadsAsItsOriginal() {
    IRDag dag =
        annotatedWordCount()
            .apply(InsertSampling.of("words", Set.of("split"), List.of(1), "m", "Test"));

    assertGood(RULE, dag);
    assertThat(RULE.check(withVertexProperty(dag, "read", new Parallelism(1))))
        .extracting(Violation::subject)
        .containsExactly("lines", "lines-sampled");
  }

  @Test
  void clonesOfOneSampleHaveEqualParallelism() {
    IRDag dag =
        annotatedWordCount()
            .apply(InsertSampling.of("words", Set.of("read", "split"), List.of(1), "m", "Test"));

    assertGood(RULE, dag);
    assertBroken(
        RULE,
        withVertexProperty(dag, "read-sampled", new Parallelism(2)),
        "lines-sampled",
        "joins 2 tasks with 1");
  }
}
