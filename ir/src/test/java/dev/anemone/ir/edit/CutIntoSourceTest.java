// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.oneToOne;
import static dev.anemone.ir.testing.SampleDags.operator;
import static dev.anemone.ir.testing.SampleDags.shuffle;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.check.IRDagChecker;
import dev.anemone.ir.function.OperatorTrait;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CutIntoSourceTest {

  private static final CutIntoSource EDIT = new CutIntoSource("read", "split");

  @Test
  void theOperatorMovesIntoTheSource() {
    IRDag before = annotatedWordCount();
    IRDag after = before.apply(EDIT);

    assertThat(after.hasVertex("split")).isFalse();
    assertThat(after.hasEdge("lines")).isFalse();
    assertThat(((SourceVertex) after.vertex("read")).pushed())
        .containsExactly((OperatorVertex) before.vertex("split"));
    assertThat(after.edge("words")).isEqualTo(before.edge("words").withSource("read", IREdge.MAIN));
    assertThat(IRDagChecker.standard().violations(after)).isEmpty();
  }

  @Test
  void furtherOperatorsAreAppended() {
    OperatorVertex next = operator("next").withTraits(Set.of(OperatorTrait.PUSHABLE));
    IRDag dag =
        wordCount().toBuilder()
            .add(next)
            .add(oneToOne("more", "split", "next"))
            .removeEdge("words")
            .add(shuffle("words", "next", "count"))
            .build()
            .apply(EDIT)
            .apply(new CutIntoSource("read", "next"));

    assertThat(((SourceVertex) dag.vertex("read")).pushed())
        .extracting(OperatorVertex::id)
        .containsExactly("split", "next");
  }

  @Test
  void refusesAnOperatorThatIsNotPushable() {
    IRDag dag = wordCount().toBuilder().replace(operator("split")).build();

    assertThatThrownBy(() -> dag.apply(EDIT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lacks the trait PUSHABLE");
  }

  @Test
  void refusesASourceThatOthersRead() {
    IRDag dag =
        wordCount().toBuilder()
            .add(operator("other"))
            .add(oneToOne("also", "read", "other"))
            .build();

    assertThatThrownBy(() -> dag.apply(EDIT)).hasMessageContaining("others read the source too");
  }

  @Test
  void refusesAnOperatorWithAnotherInput() {
    IRDag dag = wordCount().toBuilder().add(oneToOne("also", "read", "split")).build();

    assertThatThrownBy(() -> dag.apply(EDIT)).hasMessageContaining("[lines, also]");
  }

  @Test
  void refusesAnInputThatIsNotFused() {
    IRDag dag =
        wordCount().toBuilder().removeEdge("lines").add(shuffle("lines", "read", "split")).build();

    assertThatThrownBy(() -> dag.apply(EDIT)).hasMessageContaining("edge lines must be ONE_TO_ONE");
  }

  @Test
  void refusesAnotherOutputThanTheMainOne() {
    IRDag dag =
        wordCount().toBuilder()
            .replace(wordCount().edge("words").withSource("split", "errors"))
            .build();

    assertThatThrownBy(() -> dag.apply(EDIT)).hasMessageContaining("reads output errors");
  }

  @Test
  void refusesWhatIsSampled() {
    IRDag dag =
        wordCount().apply(InsertSampling.of("words", Set.of("split"), List.of(0), "sizes", "Test"));
    IRDag noOtherReader = dag.toBuilder().removeEdge("lines-sampled").build();

    assertThatThrownBy(() -> noOtherReader.apply(EDIT)).hasMessageContaining("split is sampled");
  }
}
