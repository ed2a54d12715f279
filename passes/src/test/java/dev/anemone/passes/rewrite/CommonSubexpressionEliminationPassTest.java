// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import static dev.anemone.passes.Plans.MB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.Plans;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommonSubexpressionEliminationPassTest {

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches(
        "CommonSubexpressionEliminationPass",
        Plans.lastStep(
            twoBranches(100 * MB), Plans.CONTEXT, new CommonSubexpressionEliminationPass()));
  }

  @Test
  void oneWalkFindsEverything() {
    IRDag once = eliminated(twoBranches(100 * MB));
    assertThat(once.vertices())
        .extracting(IRVertex::id)
        .containsExactly("lines1", "parse1", "trim1", "count", "top");
    assertThat(new CommonSubexpressionEliminationPass().apply(once, Plans.CONTEXT)).isSameAs(once);
  }

  @Test
  void operatorsThatAreNotPureStayApart() {
    IRDag dag =
        IRDag.builder()
            .add(Plans.source("lines", 100, 1))
            .add(Plans.pure("a", "f"))
            .add(Plans.operator("b").withOperator(FunctionSpec.of("test:f")))
            .add(Plans.oneToOne("e1", "lines", "a"))
            .add(Plans.oneToOne("e2", "lines", "b"))
            .build();
    assertThat(new CommonSubexpressionEliminationPass().apply(dag, Plans.CONTEXT)).isSameAs(dag);
  }

  @Test
  void verticesWithDifferentPropertiesStayApart() {
    IRDag dag =
        twoBranches(100 * MB).apply(new SetVertexProperty("parse2", ResourcePriority.RESERVED));
    assertThat(eliminated(dag).hasVertex("parse2")).isTrue();
  }

  @Test
  void aSourceThatCostsNothingIsNotShared() {
    IRDag dag = twoBranches(0);
    assertThat(new CommonSubexpressionEliminationPass().apply(dag, Plans.CONTEXT)).isSameAs(dag);
  }

  @Test
  void aSourceOfFewBytesIsNotShared() {
    IRDag dag = twoBranches(MB - 1);
    assertThat(new CommonSubexpressionEliminationPass().apply(dag, Plans.CONTEXT)).isSameAs(dag);
    assertThat(
            new CommonSubexpressionEliminationPass()
                .apply(dag, Plans.CONTEXT.withOption("minBytesShared", "1000"))
                .hasVertex("lines2"))
        .isFalse();
  }

  /** The join's stage would have to wait for the one that it is itself a part of. */
  @ParameterizedTest
  @CsvSource({"lines1, lines2", "lines2, lines1"})
  void aReadIsNotSharedWithAStageThatNeedsWhatCameOfIt(String first, String second) {
    IRDag dag =
        IRDag.builder()
            .add(lines(first, 100 * MB))
            .add(lines(second, 100 * MB))
            .add(Plans.operator("average"))
            .add(Plans.operator("compare"))
            .add(Plans.groupByKey("e1", "lines1", "average"))
            .add(Plans.sideInput("e2", "average", "compare"))
            .add(Plans.oneToOne("e3", "lines2", "compare"))
            .build();
    assertThat(new CommonSubexpressionEliminationPass().apply(dag, Plans.CONTEXT)).isSameAs(dag);
  }

  @Test
  void sourcesAreSharedWithWhatTheirReadersRun() {
    GoldenPlan.assertMatches(
        "CommonSubexpressionEliminationPass-pushable",
        Plans.lastStep(
            twoReads("filter", "filter"), Plans.CONTEXT, new CommonSubexpressionEliminationPass()));
  }

  /** A reader runs one chain of operators. */
  @Test
  void sourcesWhoseReadersRunDifferentOperatorsStayApart() {
    IRDag dag = twoReads("filter", "another filter");
    assertThat(new CommonSubexpressionEliminationPass().apply(dag, Plans.CONTEXT)).isSameAs(dag);
  }

  @Test
  void aSourceWhoseReadersRunNothingIsNotSharedWithOneWhoseReadersDo() {
    IRDag dag = twoReads("filter", "filter");
    IRDag bare =
        dag.toBuilder()
            .removeEdge("e2")
            .removeEdge("e4")
            .removeVertex("filter2")
            .add(Plans.oneToOne("e2", "lines2", "rows2"))
            .build();
    assertThat(new CommonSubexpressionEliminationPass().apply(bare, Plans.CONTEXT)).isSameAs(bare);
  }

  @Test
  void readersOperatorsThatCannotBecomeOneKeepTheirSourcesApart() {
    IRDag dag = twoReads("filter", "filter");
    IRDag notPure =
        dag.toBuilder()
            .replace(Plans.pure("filter2", "filter").withTraits(Set.of(OperatorTrait.PUSHABLE)))
            .build();
    assertThat(new CommonSubexpressionEliminationPass().apply(notPure, Plans.CONTEXT))
        .isSameAs(notPure);
    IRDag readTwice = dag.toBuilder().add(Plans.oneToOne("e7", "lines2", "top")).build();
    assertThat(new CommonSubexpressionEliminationPass().apply(readTwice, Plans.CONTEXT))
        .isSameAs(readTwice);
  }

  /** Two reads, whose readers can run a filter each. */
  private static IRDag twoReads(String filter1, String filter2) {
    Set<OperatorTrait> traits = Set.of(OperatorTrait.PURE, OperatorTrait.PUSHABLE);
    return IRDag.builder()
        .add(lines("lines1", 100 * MB))
        .add(lines("lines2", 100 * MB))
        .add(Plans.pure("filter1", filter1).withTraits(traits))
        .add(Plans.pure("filter2", filter2).withTraits(traits))
        .add(Plans.pure("rows1", "rows"))
        .add(Plans.pure("rows2", "rows"))
        .add(Plans.operator("count"))
        .add(Plans.operator("top"))
        .add(Plans.oneToOne("e1", "lines1", "filter1"))
        .add(Plans.oneToOne("e2", "lines2", "filter2"))
        .add(Plans.oneToOne("e3", "filter1", "rows1"))
        .add(Plans.oneToOne("e4", "filter2", "rows2"))
        .add(Plans.groupByKey("e5", "rows1", "count"))
        .add(Plans.groupByKey("e6", "rows2", "top"))
        .build();
  }

  private static IRDag eliminated(IRDag dag) {
    return Plans.lastStep(dag, Plans.CONTEXT, new CommonSubexpressionEliminationPass()).after();
  }

  /** Two branches that start with equal sources, parsers and trimmers. */
  private static IRDag twoBranches(long bytes) {
    return IRDag.builder()
        .add(lines("lines1", bytes))
        .add(lines("lines2", bytes))
        .add(Plans.pure("parse1", "parse"))
        .add(Plans.pure("parse2", "parse"))
        .add(Plans.pure("trim1", "trim"))
        .add(Plans.pure("trim2", "trim"))
        .add(Plans.operator("count"))
        .add(Plans.operator("top"))
        .add(Plans.oneToOne("e1", "lines1", "parse1"))
        .add(Plans.oneToOne("e2", "lines2", "parse2"))
        .add(Plans.oneToOne("e3", "parse1", "trim1"))
        .add(Plans.oneToOne("e4", "parse2", "trim2"))
        .add(Plans.groupByKey("e5", "trim1", "count"))
        .add(Plans.groupByKey("e6", "trim2", "top"))
        .build();
  }

  private static SourceVertex lines(String id, long bytes) {
    return SourceVertex.of(
        id, id, FunctionSpec.of("test:lines"), Plans.sourceOf("lines", bytes).parts());
  }
}
