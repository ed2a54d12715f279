// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.testing.SampleDags.broadcast;
import static dev.anemone.ir.testing.SampleDags.oneToOne;
import static dev.anemone.ir.testing.SampleDags.operator;
import static dev.anemone.ir.testing.SampleDags.shuffle;
import static dev.anemone.ir.testing.SampleDags.source;
import static dev.anemone.ir.testing.SampleDags.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.Parallelism;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MergeVerticesTest {

  private static final MergeVertices EDIT = new MergeVertices("a", "b");

  private static OperatorVertex pure(String id, String function) {
    return OperatorVertex.of(id, id, spec(function)).withTraits(Set.of(OperatorTrait.PURE));
  }

  private static IRDag twins() {
    return IRDag.builder()
        .add(source("s", 2))
        .add(source("t", 2))
        .add(pure("a", "f"))
        .add(pure("b", "f"))
        .add(operator("c"))
        .add(operator("d"))
        .add(oneToOne("sa", "s", "a"))
        .add(broadcast("ta", "t", "a"))
        .add(broadcast("tb", "t", "b"))
        .add(oneToOne("sb", "s", "b"))
        .add(oneToOne("ac", "a", "c"))
        .add(shuffle("bd", "b", "d").withSource("b", "errors"))
        .build();
  }

  @Test
  void consumersOfTheRemovedVertexReadTheKeptOne() {
    IRDag after = twins().apply(EDIT);

    assertThat(after.vertices())
        .extracting(IRVertex::id)
        .containsExactlyInAnyOrder("s", "t", "a", "c", "d");
    assertThat(after.edges())
        .extracting(IREdge::id)
        .containsExactlyInAnyOrder("sa", "ta", "ac", "bd");
    assertThat(after.edge("bd")).isEqualTo(twins().edge("bd").withSource("a", "errors"));
  }

  @Test
  void sourcesOfTheSamePartsMerge() {
    IRDag dag =
        IRDag.builder()
            .add(SourceVertex.of("a", "one", spec("read"), source("x", 2).parts()))
            .add(SourceVertex.of("b", "two", spec("read"), source("x", 2).parts()))
            .add(operator("c"))
            .add(oneToOne("ac", "a", "c"))
            .add(broadcast("bc", "b", "c"))
            .build();

    assertThat(dag.apply(EDIT).outgoing("a"))
        .extracting(IREdge::id)
        .containsExactlyInAnyOrder("ac", "bc");
    IRDag otherParts =
        dag.toBuilder()
            .replace(SourceVertex.of("b", "two", spec("read"), source("x", 1).parts()))
            .build();
    assertThatThrownBy(() -> otherParts.apply(EDIT)).hasMessageContaining("different sources");
  }

  @Test
  void refusesAFunctionThatIsNotPure() {
    IRDag dag = twins().toBuilder().replace(pure("b", "f").withTraits(Set.of())).build();

    assertThatThrownBy(() -> dag.apply(EDIT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("both need the trait PURE");
  }

  @Test
  void refusesDifferentFunctions() {
    IRDag dag = twins().toBuilder().replace(pure("b", "g")).build();

    assertThatThrownBy(() -> dag.apply(EDIT)).hasMessageContaining("different functions");
  }

  @Test
  void refusesDifferentInputs() {
    IRDag oneMore = twins().toBuilder().add(oneToOne("again", "s", "b")).build();
    IRDag otherPort =
        twins().toBuilder().replace(twins().edge("sb").withDestination("b", "side")).build();

    assertThatThrownBy(() -> oneMore.apply(EDIT)).hasMessageContaining("do not read the same");
    assertThatThrownBy(() -> otherPort.apply(EDIT)).hasMessageContaining("do not read the same");
  }

  @Test
  void refusesDifferentProperties() {
    IRDag dag = twins().apply(new SetVertexProperty("b", new Parallelism(3)));

    assertThatThrownBy(() -> dag.apply(EDIT)).hasMessageContaining("their properties differ");
  }

  @Test
  void refusesDifferentKindsAndTheSameVertexTwice() {
    assertThatThrownBy(() -> twins().apply(new MergeVertices("s", "a")))
        .hasMessageContaining("a SourceVertex and a OperatorVertex");
    assertThatThrownBy(() -> new MergeVertices("a", "a")).hasMessageContaining("with itself");
  }

  @Test
  void refusesToRemoveWhatIsSampled() {
    IRDag dag = twins().apply(InsertSampling.of("bd", Set.of("b"), List.of(0), "sizes", "Test"));

    assertThatThrownBy(() -> dag.apply(EDIT)).hasMessageContaining("b is sampled by b-sampled");
  }
}
