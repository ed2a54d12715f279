// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertCombiner;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.Property;
import dev.anemone.ir.property.ResourcePriority;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A pass that does what it must not do is refused, by name. */
class CheatingPassTest {

  /** Declares DataFlow, and does anything. */
  private record Annotating(UnaryOperator<IRDag> edit) implements AnnotatingPass {
    @Override
    public Set<Class<? extends Property>> annotates() {
      return Set.of(DataFlow.class);
    }

    @Override
    public IRDag apply(IRDag dag, PassContext context) {
      return edit.apply(dag);
    }
  }

  private record Reshaping(UnaryOperator<IRDag> edit) implements ReshapingPass {
    @Override
    public IRDag apply(IRDag dag, PassContext context) {
      return edit.apply(dag);
    }
  }

  @Test
  void anAnnotatingPassThatSetsAnUndeclaredPropertyIsRefused() {
    assertThatThrownBy(
            () ->
                run(new Annotating(dag -> dag.apply(new SetEdgeProperty("e2", DataStore.MEMORY)))))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("Pass test/Annotating set DataStore of edge e2")
        .hasMessageContaining("annotates()");
  }

  @Test
  void anAnnotatingPassThatReshapesIsRefused() {
    assertThatThrownBy(
            () -> run(new Annotating(dag -> dag.apply(new InsertCombiner("count", "cheat")))))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("is an annotating pass but reshaped the graph");
  }

  @Test
  void aReshapingPassThatSetsPropertiesOfWhatItDidNotInsertIsRefused() {
    assertThatThrownBy(
            () ->
                run(
                    new Reshaping(
                        dag ->
                            dag.apply(new SetVertexProperty("words", ResourcePriority.RESERVED)))))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("of vertex words, which it did not insert");
    assertThatThrownBy(
            () -> run(new Reshaping(dag -> dag.apply(new SetEdgeProperty("e2", DataFlow.PUSH)))))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("of edge e2, which it did not insert");
  }

  @Test
  void aReshapingPassMaySetPropertiesOfWhatItInserted() {
    IRDag after =
        run(new Reshaping(
                dag ->
                    dag.apply(new InsertRelay(List.of("e2"), "relay", "Reshaping"))
                        .apply(new SetVertexProperty("relay", new Parallelism(3)))
                        .apply(new SetEdgeProperty("e2-relay", DataStore.MEMORY))))
            .result();
    assertThat(after.vertex("relay").property(Parallelism.class)).contains(new Parallelism(3));
  }

  @Test
  void aGraphThatWasMadeWithABuilderIsAnUnsafeReshape() {
    UnaryOperator<IRDag> builder =
        dag -> dag.toBuilder().replace(dag.edge("e2").with(DataFlow.PUSH)).build();
    assertThatThrownBy(() -> run(new Annotating(builder)))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("unsafe reshape");
    assertThatThrownBy(() -> run(new Reshaping(builder)))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("unsafe reshape");
  }

  @Test
  void aBuilderCannotHideBehindAnEdit() {
    UnaryOperator<IRDag> builderThenEdit =
        dag ->
            dag.toBuilder()
                .removeEdge("e3")
                .removeVertex("write")
                .build()
                .apply(new SetEdgeProperty("e2", DataFlow.PUSH));
    assertThatThrownBy(() -> run(new Annotating(builderThenEdit)))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("unsafe reshape")
        .hasMessageContaining("differs from what its edits make");
  }

  @Test
  void aGraphThatForgetsEarlierEditsIsAnUnsafeReshape() {
    IRDag edited = Plans.wordCount().apply(new SetEdgeProperty("e2", DataFlow.PUSH));
    assertThatThrownBy(
            () ->
                PassRunner.standard()
                    .run(
                        "test",
                        List.of(new Annotating(dag -> Plans.wordCount())),
                        List.of(),
                        edited,
                        Plans.CONTEXT))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("does not descend from the graph");
  }

  @Test
  void aPassThatBreaksARuleOfTheGraphIsNamedWithTheRule() {
    class OneToOneBreaker implements AnnotatingPass {
      @Override
      public Set<Class<? extends Property>> annotates() {
        return Set.of(Parallelism.class);
      }

      @Override
      public IRDag apply(IRDag dag, PassContext context) {
        return dag.apply(new SetVertexProperty("count", new Parallelism(2)))
            .apply(new SetVertexProperty("write", new Parallelism(3)));
      }
    }

    assertThatThrownBy(() -> run(new OneToOneBreaker()))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("Pass test/OneToOneBreaker broke the graph")
        .hasMessageContaining("one-to-one-parallelism")
        .hasMessageContaining("e3");
  }

  @Test
  void aPassThatThrowsIsNamedWithItsCause() {
    IllegalStateException cause = new IllegalStateException("no idea");
    assertThatThrownBy(
            () ->
                run(
                    new Reshaping(
                        dag -> {
                          throw cause;
                        })))
        .isInstanceOf(PassException.class)
        .hasMessage("Pass test/Reshaping failed: no idea")
        .hasCause(cause);
  }

  @Test
  void aPassThatReturnsNullIsNamed() {
    assertThatThrownBy(() -> run(new Reshaping(dag -> null)))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("Pass test/Reshaping returned null");
  }

  @Test
  void aGraphThatIsBrokenBeforeAnyPassIsNotBlamedOnAPass() {
    IRDag broken =
        Plans.wordCount()
            .apply(new SetVertexProperty("count", new Parallelism(2)))
            .apply(new SetVertexProperty("write", new Parallelism(3)));
    assertThatThrownBy(
            () -> PassRunner.standard().run("Default", List.of(), List.of(), broken, Plans.CONTEXT))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("was given a graph that breaks rules before any pass")
        .hasMessageContaining("one-to-one-parallelism");
  }

  private static OptimizationTrace run(CompileTimePass pass) {
    return PassRunner.standard()
        .run("test", List.of(pass), List.of(), Plans.wordCount(), Plans.CONTEXT);
  }
}
