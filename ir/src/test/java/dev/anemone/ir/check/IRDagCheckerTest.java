// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.withVertexProperty;
import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.operator;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.Parallelism;
import org.junit.jupiter.api.Test;

class IRDagCheckerTest {

  private static final IRDagChecker CHECKER = IRDagChecker.standard();

  @Test
  void aGoodGraphPasses() {
    assertThat(CHECKER.violations(wordCount())).isEmpty();
    assertThat(CHECKER.violations(annotatedWordCount())).isEmpty();
    CHECKER.check("SomePass", annotatedWordCount());
  }

  @Test
  void theExceptionNamesPassRuleAndSubject() {
    IRDag broken =
        withVertexProperty(annotatedWordCount(), "write", new Parallelism(3)).toBuilder()
            .add(operator("lonely"))
            .build();

    assertThatThrownBy(() -> CHECKER.check("SomePass", broken))
        .isInstanceOfSatisfying(
            IRCheckException.class,
            e -> {
              assertThat(e.afterWhat()).isEqualTo("SomePass");
              assertThat(e.violations())
                  .extracting(Violation::subject)
                  .containsExactly("lonely", "counts");
            })
        .hasMessageContaining("after pass SomePass")
        .hasMessageContaining("rule input: vertex lonely has no in-edge")
        .hasMessageContaining("rule one-to-one-parallelism: edge counts (count to write)");
  }

  @Test
  void everyRuleHasItsOwnName() {
    assertThat(CHECKER.rules()).extracting(CheckRule::name).doesNotHaveDuplicates().hasSize(20);
  }
}
