// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import static dev.anemone.ir.testing.SampleDags.oneToOne;
import static dev.anemone.ir.testing.SampleDags.operator;
import static dev.anemone.ir.testing.SampleDags.source;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.edit.DagEdit;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.function.CombineSplit;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.testing.ArbitraryDags;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class IRDagTest {

  @Provide
  Arbitrary<IRDag> edited() {
    return ArbitraryDags.edited();
  }

  @Property(tries = 200)
  void producersComeBeforeTheirConsumers(@ForAll("edited") IRDag dag) {
    Set<String> seen = new HashSet<>();
    for (IRVertex vertex : dag.vertices()) {
      assertThat(seen).containsAll(dag.incoming(vertex.id()).stream().map(IREdge::from).toList());
      seen.add(vertex.id());
    }
    assertThat(dag.waitCycle()).isEmpty();
  }

  @Property(tries = 200)
  void aCopyIsEqualAndIteratesAlike(@ForAll("edited") IRDag dag) {
    IRDag copy = dag.toBuilder().build();

    assertThat(copy).isEqualTo(dag).hasSameHashCodeAs(dag);
    assertThat(copy.vertices()).containsExactlyElementsOf(dag.vertices());
    assertThat(copy.edits()).isEmpty();
  }

  @Test
  void theOrderInWhichAGraphIsBuiltDoesNotMatter() {
    IRDag backwards =
        IRDag.builder()
            .add(wordCount().edge("counts"))
            .add(wordCount().edge("words"))
            .add(wordCount().edge("lines"))
            .add(wordCount().vertex("write"))
            .add(wordCount().vertex("count"))
            .add(wordCount().vertex("split"))
            .add(wordCount().vertex("read"))
            .build();

    assertThat(backwards).isEqualTo(wordCount());
    assertThat(backwards.vertices())
        .extracting(IRVertex::id)
        .containsExactly("read", "split", "count", "write");
  }

  @Test
  void remembersTheEditsAndLeavesTheOldGraphAlone() {
    IRDag before = wordCount();
    DagEdit first = new SetVertexProperty("count", new Parallelism(2));
    DagEdit second = new SetEdgeProperty("words", DataStore.MEMORY);
    IRDag after = before.apply(first).apply(second);

    assertThat(after.edits()).containsExactly(first, second);
    assertThat(before).isEqualTo(wordCount());
    assertThat(before.edits()).isEmpty();
  }

  @Test
  void graphsThatDifferInAPropertyDiffer() {
    IRDag before = wordCount();
    List<IRDag> changed =
        List.of(
            before.apply(new SetVertexProperty("count", new Parallelism(2))),
            before.apply(new SetEdgeProperty("words", DataStore.MEMORY)));

    assertThat(changed)
        .doesNotContain(before, wordCount())
        .allSatisfy(dag -> assertThat(dag.toBuilder().build()).isEqualTo(dag));
  }

  @Test
  void anEdgeIsTheSameFromBothOfItsEnds() {
    IRDag dag = wordCount().apply(new SetEdgeProperty("words", DataStore.MEMORY));
    IREdge edge = dag.edge("words");

    assertThat(edge.property(DataStore.class)).contains(DataStore.MEMORY);
    assertThat(dag.edges()).contains(edge);
    assertThat(dag.outgoing(edge.from())).containsExactly(edge);
    assertThat(dag.incoming(edge.to())).containsExactly(edge);
    assertThat(dag.incoming("read")).isEmpty();
  }

  @Test
  void refusesACycle() {
    assertThatThrownBy(
            () -> wordCount().toBuilder().add(oneToOne("back", "write", "split")).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cycle through or before [split, count, write]");
  }

  @Test
  void refusesAnEdgeOrDependencyWithoutEnd() {
    assertThatThrownBy(() -> wordCount().toBuilder().add(oneToOne("e", "read", "nowhere")).build())
        .hasMessageContaining("edge e refers to vertex nowhere");
    assertThatThrownBy(
            () -> wordCount().toBuilder().add(new ControlDependency("nowhere", "read")).build())
        .hasMessageContaining("vertex nowhere, which is not there");
  }

  @Test
  void refusesAnIdThatIsTakenOrMissing() {
    IRDag.Builder builder = wordCount().toBuilder();

    assertThatThrownBy(() -> builder.add(operator("read")))
        .hasMessageContaining("already a vertex read");
    assertThatThrownBy(() -> builder.add(oneToOne("words", "read", "write")))
        .hasMessageContaining("already an edge words");
    assertThatThrownBy(() -> builder.replace(operator("new")))
        .hasMessageContaining("no vertex new");
    assertThatThrownBy(() -> builder.removeEdge("new")).hasMessageContaining("no edge new");
    assertThatThrownBy(() -> wordCount().vertex("new")).hasMessageContaining("no vertex new");
    assertThatThrownBy(() -> wordCount().edge("new")).hasMessageContaining("no edge new");
  }

  @Test
  void findsVerticesThatWaitForEachOther() {
    IRDag dag =
        wordCount().toBuilder()
            .add(source("apart", 1))
            .add(new ControlDependency("count", "split"))
            .build();

    assertThat(dag.waitCycle()).containsExactly("split", "count");
  }

  @Test
  void aSplitShowsWhichHalfRuns() {
    FunctionSpec function = FunctionSpec.of("f");

    assertThatThrownBy(() -> new CombineSplit(function, function, function, function, function))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("whole and merging function are equal");
  }

  @Test
  void anEdgeHasAPatternAndASourceHasParts() {
    assertThatThrownBy(
            () ->
                new IREdge(
                    "e",
                    "a",
                    "main",
                    "b",
                    "main",
                    FunctionSpec.of("c"),
                    ExecutionProperties.empty()))
        .hasMessageContaining("edge e from a to b has no communication pattern");
    assertThatThrownBy(() -> SourceVertex.of("s", "s", FunctionSpec.of("read"), List.of()))
        .hasMessageContaining("source vertex s has no parts");
  }
}
