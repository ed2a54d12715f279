// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.oneToOne;
import static dev.anemone.ir.testing.SampleDags.operator;
import static dev.anemone.ir.testing.SampleDags.shuffle;
import static dev.anemone.ir.testing.SampleDags.source;
import static dev.anemone.ir.testing.SampleDags.twoShuffles;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.check.IRDagChecker;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** {@link InsertSampling} of several stages, and of one stage for several messages. */
class SampledStagesTest {

  /**
   *
   *
   * <pre>
   * a --ab--> b --s SHUFFLE--> c
   *           b --bd--> d --t SHUFFLE--> e
   * </pre>
   */
  private static IRDag twoConsumers() {
    return IRDag.builder()
        .add(source("a", 4))
        .add(operator("b"))
        .add(operator("c"))
        .add(operator("d"))
        .add(operator("e"))
        .add(oneToOne("ab", "a", "b"))
        .add(shuffle("s", "b", "c"))
        .add(oneToOne("bd", "b", "d"))
        .add(shuffle("t", "d", "e"))
        .build();
  }

  private static final InsertSampling SIZES_OF_C =
      InsertSampling.of("s", Set.of("a", "b"), List.of(0, 2), "c-sizes", "Test");
  private static final InsertSampling SIZES_OF_E =
      InsertSampling.of("t", Set.of("a", "b", "d"), List.of(0, 2), "e-sizes", "Test");

  private static SampledStage stage(boolean held, int task, String... vertices) {
    return new SampledStage(Set.of(vertices), List.of(task), held);
  }

  @Test
  void allStagesBeforeAConsumerAreMeasuredForOneMessage() {
    IRDag dag =
        twoShuffles()
            .apply(
                new InsertSampling(
                    List.of("fromA", "fromB"),
                    List.of(stage(true, 1, "a"), stage(true, 2, "b")),
                    "sizes",
                    "Test"));

    assertThat(((SampledVertex) dag.vertex("a-sampled")).sample()).containsExactly(1);
    assertThat(((SampledVertex) dag.vertex("b-sampled")).sample()).containsExactly(2);
    assertThat(dag.incoming("sizes-aggregation"))
        .extracting(IREdge::from)
        .containsExactly("sizes-collection-fromA", "sizes-collection-fromB");
    assertThat(((MetricCollectionVertex) dag.vertex("sizes-collection-fromB")).measured())
        .isEqualTo("fromB");
    assertThat(dag.controlDependencies())
        .containsExactlyInAnyOrder(
            new ControlDependency("sizes-aggregation", "a"),
            new ControlDependency("sizes-aggregation", "b"));
    assertThat(IRDagChecker.standard().violations(dag)).isEmpty();
    assertThat(dag.apply(new DeleteInserted("b-sampled"))).isEqualTo(twoShuffles());
  }

  @Test
  void aStageBeforeAnotherIsNotHeld() {
    IRDag before =
        annotatedWordCount().toBuilder()
            .add(operator("join"))
            .add(shuffle("short", "split", "join"))
            .add(shuffle("long", "count", "join"))
            .build();
    SampledStage split = stage(false, 0, "read", "split");
    IRDag dag =
        before.apply(
            new InsertSampling(
                List.of("short", "long"), List.of(split, stage(true, 3, "count")), "m", "Test"));

    assertThat(dag.controlDependencies())
        .containsExactly(new ControlDependency("m-aggregation", "count"));
    assertThat(dag.edge("words-sampled").from()).isEqualTo("split");
    assertThat(IRDagChecker.standard().violations(dag)).isEmpty();
    SampledStage heldSplit = stage(true, 0, "read", "split");
    assertThatThrownBy(
            () ->
                before.apply(
                    new InsertSampling(
                        List.of("short", "long"),
                        List.of(heldSplit, stage(true, 3, "count")),
                        "m",
                        "Test")))
        .hasMessageContaining("would wait for each other");
  }

  @Test
  void aStageIsClonedOnceForSeveralMessages() {
    IRDag first = twoConsumers().apply(SIZES_OF_C);
    IRDag dag = first.apply(SIZES_OF_E);

    assertThat(dag.vertices()).filteredOn(SampledVertex.class::isInstance).hasSize(3);
    assertThat(dag.edge("bd-sampled").from()).isEqualTo("b-sampled");
    assertThat(dag.edge("bd-sampled").to()).isEqualTo("d-sampled");
    assertThat(dag.edge("e-sizes-collection-t").from()).isEqualTo("d-sampled");
    assertThat(dag.controlDependencies())
        .containsExactlyInAnyOrder(
            new ControlDependency("c-sizes-aggregation", "a"),
            new ControlDependency("e-sizes-aggregation", "a"));
    assertThat(IRDagChecker.standard().violations(dag)).isEmpty();
    assertThat(dag).isEqualTo(twoConsumers().apply(SIZES_OF_E).apply(SIZES_OF_C));
  }

  @Test
  void clonesThatAnotherMessageNeedsStayWhenOneIsDeleted() {
    IRDag dag = twoConsumers().apply(SIZES_OF_C).apply(SIZES_OF_E);

    assertThat(dag.apply(new DeleteInserted("e-sizes-aggregation")))
        .isEqualTo(twoConsumers().apply(SIZES_OF_C));
    assertThat(dag.apply(new DeleteInserted("d-sampled")))
        .isEqualTo(twoConsumers().apply(SIZES_OF_C));
    assertThat(dag.apply(new DeleteInserted("c-sizes-collection-s")))
        .isEqualTo(twoConsumers().apply(SIZES_OF_E));
    assertThat(
            dag.apply(new DeleteInserted("c-sizes-aggregation"))
                .apply(new DeleteInserted("a-sampled")))
        .isEqualTo(twoConsumers());
    assertThatThrownBy(() -> dag.apply(new DeleteInserted("a-sampled")))
        .hasMessageContaining("belongs to the samplings of [c-sizes, e-sizes]");
  }

  @Test
  void refusesAnotherSampleOfAStage() {
    IRDag dag = twoConsumers().apply(SIZES_OF_C);

    assertThatThrownBy(
            () ->
                dag.apply(
                    InsertSampling.of("t", Set.of("a", "b", "d"), List.of(1), "other", "Test")))
        .hasMessageContaining("vertex a is sampled already, by the tasks [0, 2] and not [1]");
  }

  @Test
  void refusesToCloneWhatAPresentCloneReadsFromTheOriginal() {
    IRDag dag =
        twoConsumers().apply(InsertSampling.of("s", Set.of("b"), List.of(0, 2), "c-sizes", "Test"));

    assertThatThrownBy(() -> dag.apply(SIZES_OF_E))
        .hasMessageContaining("vertex b was sampled without vertex a, from which it reads");
  }

  @Test
  void refusesVerticesThatMeasureNothing() {
    assertThatThrownBy(
            () ->
                twoConsumers()
                    .apply(InsertSampling.of("s", Set.of("a", "b", "d"), List.of(0), "m", "Test")))
        .hasMessageContaining("its vertices [d] lead to none of the edges [s]");
  }

  @Test
  void refusesToSampleARelay() {
    IRDag dag = wordCount().apply(new InsertRelay(List.of("lines"), "relay", "Test"));

    assertThatThrownBy(
            () ->
                dag.apply(
                    InsertSampling.of("words", Set.of("relay", "split"), List.of(0), "m", "Test")))
        .hasMessageContaining("vertex relay is a relay; measure the edges into it");
  }

  @Test
  void refusesAVertexInTwoStages() {
    assertThatThrownBy(
            () ->
                new InsertSampling(
                    List.of("s"), List.of(stage(true, 0, "b"), stage(true, 0, "b")), "m", "Test"))
        .hasMessageContaining("two stages with vertex b");
    assertThatThrownBy(() -> stage(true, 0)).hasMessageContaining("at least one vertex");
  }

  @Test
  void refusesCombinersBehindAMeasuredShuffle() {
    IRDag dag =
        wordCount().apply(InsertSampling.of("words", Set.of("split"), List.of(0), "m", "Test"));

    assertThatThrownBy(() -> dag.apply(new InsertCombiner("count", "Test")))
        .hasMessageContaining("edge words is measured by m-collection-words");
  }
}
