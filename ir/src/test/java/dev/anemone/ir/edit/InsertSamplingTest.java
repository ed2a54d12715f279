// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.testing.SampleDags.KEY_BYTES;
import static dev.anemone.ir.testing.SampleDags.KEY_OF_WORD;
import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.oneToOne;
import static dev.anemone.ir.testing.SampleDags.operator;
import static dev.anemone.ir.testing.SampleDags.shuffle;
import static dev.anemone.ir.testing.SampleDags.source;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricAggregationVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.check.IRDagChecker;
import dev.anemone.ir.property.AntiAffinity;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.KeyFilters;
import dev.anemone.ir.property.KeyFilters.KeyFilter;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.ir.property.ScheduleGroup;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InsertSamplingTest {

  private static final Set<String> STAGE = Set.of("read", "split");
  private static final InsertSampling EDIT =
      InsertSampling.of("words", STAGE, List.of(1), "sizes", "Test");

  @Test
  void clonesTheStageWithItsEdges() {
    IRDag before = annotatedWordCount();
    IRDag after = before.apply(EDIT);

    SampledVertex clone = (SampledVertex) after.vertex("split-sampled");
    assertThat(clone.original()).isEqualTo("split");
    assertThat(clone.sample()).containsExactly(1);
    assertThat(clone.properties())
        .isEqualTo(before.vertex("split").properties().with(new Parallelism(1)));
    IREdge inside = after.edge("lines-sampled");
    assertThat(inside.from()).isEqualTo("read-sampled");
    assertThat(inside.to()).isEqualTo("split-sampled");
    assertThat(inside.properties()).isEqualTo(before.edge("lines").properties());
  }

  @Test
  void edgesFromOutsideTheStageStartAtTheSameVertex() {
    IRDag after =
        annotatedWordCount()
            .apply(InsertSampling.of("words", Set.of("split"), List.of(0), "sizes", "Test"));

    assertThat(after.edge("lines-sampled").from()).isEqualTo("read");
    assertThat(IRDagChecker.standard().violations(after)).isEmpty();
  }

  @Test
  void whatIsHeldMustNotBeOfAnEarlierGroupThanWhatIsSampled() {
    IRDag dag =
        annotatedWordCount().toBuilder()
            .add(source("later", 3))
            .add(operator("sort").withProperties(ExecutionProperties.of(new ScheduleGroup(1))))
            .add(oneToOne("lines-later", "later", "sort"))
            .add(shuffle("sorted", "sort", "count"))
            .build();
    InsertSampling both =
        new InsertSampling(
            List.of("words", "sorted"),
            List.of(
                new SampledStage(STAGE, List.of(1), true),
                new SampledStage(Set.of("sort"), List.of(0), false)),
            "sizes",
            "Test");

    assertThatThrownBy(() -> dag.apply(both))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is in schedule group 0")
        .hasMessageContaining("the later group 1");
  }

  @Test
  void theMeasuredOutputIsCollectedByKeyAndAggregated() {
    IRDag after = annotatedWordCount().apply(EDIT);

    MetricCollectionVertex collection =
        (MetricCollectionVertex) after.vertex("sizes-collection-words");
    assertThat(collection.property(Parallelism.class)).contains(new Parallelism(1));
    IREdge measured = after.incoming(collection.id()).get(0);
    assertThat(measured.from()).isEqualTo("split-sampled");
    assertThat(measured.pattern()).isEqualTo(CommunicationPattern.ONE_TO_ONE);
    assertThat(measured.property(KeyExtractor.class)).contains(new KeyExtractor(KEY_OF_WORD));
    assertThat(measured.property(KeyEncoder.class)).contains(new KeyEncoder(KEY_BYTES));
    MetricAggregationVertex aggregation =
        (MetricAggregationVertex) after.vertex("sizes-aggregation");
    assertThat(aggregation.messageId()).isEqualTo("sizes");
    IREdge metrics = after.incoming(aggregation.id()).get(0);
    assertThat(metrics.from()).isEqualTo(collection.id());
    assertThat(metrics.property(Order.class)).contains(Order.NONE);
    assertThat(metrics.property(Partitioner.class)).contains(new Partitioner.Spread());
  }

  @Test
  void onlyTheFirstVerticesOfTheStageWait() {
    assertThat(annotatedWordCount().apply(EDIT).controlDependencies())
        .containsExactly(new ControlDependency("sizes-aggregation", "read"));
  }

  @Test
  void tasksThatKeepApartAreThoseOfTheSample() {
    IRDag dag =
        annotatedWordCount()
            .apply(new SetVertexProperty("split", new AntiAffinity(Set.of(1))))
            .apply(new SetVertexProperty("read", new AntiAffinity(Set.of(0))))
            .apply(EDIT);

    assertThat(dag.vertex("split-sampled").property(AntiAffinity.class))
        .contains(new AntiAffinity(Set.of(0)));
    assertThat(dag.vertex("read-sampled").property(AntiAffinity.class)).isEmpty();
  }

  /** Its reader has a clone, too, by whose name the filter is not found. */
  @Test
  void whatFiltersASourceDoesNotFilterItsClone() {
    KeyFilters filters =
        new KeyFilters(List.of(new KeyFilter("word", "split", "x1", "wanted")), 10);
    IRDag dag = wordCount().apply(new SetVertexProperty("read", filters)).apply(EDIT);

    assertThat(dag.vertex("read").property(KeyFilters.class)).contains(filters);
    assertThat(dag.vertex("read-sampled").property(KeyFilters.class)).isEmpty();
  }

  @Test
  void severalShufflesAreMeasuredForOneMessage() {
    IRDag dag =
        wordCount().toBuilder()
            .add(operator("other"))
            .add(shuffle("more", "split", "other"))
            .build()
            .apply(
                new InsertSampling(
                    List.of("words", "more"),
                    List.of(new SampledStage(STAGE, List.of(0), true)),
                    "sizes",
                    "Test"));

    assertThat(dag.incoming("sizes-aggregation"))
        .extracting(IREdge::from)
        .containsExactly("sizes-collection-words", "sizes-collection-more");
    assertThat(dag.apply(new DeleteInserted("sizes-collection-more")).vertices())
        .extracting(IRVertex::id)
        .containsExactlyInAnyOrder("read", "split", "count", "write", "other");
  }

  @Test
  void refusesASampleThatIsNotOne() {
    assertThatThrownBy(() -> InsertSampling.of("words", STAGE, List.of(1, 0), "m", "Test"))
        .hasMessageContaining("ascending, distinct");
    assertThatThrownBy(() -> InsertSampling.of("words", STAGE, List.of(0, 0), "m", "Test"))
        .hasMessageContaining("ascending, distinct");
    assertThatThrownBy(() -> InsertSampling.of("words", STAGE, List.of(-1), "m", "Test"))
        .hasMessageContaining("ascending, distinct");
    assertThatThrownBy(() -> InsertSampling.of("words", STAGE, List.of(), "m", "Test"))
        .hasMessageContaining("at least one task");
    assertThatThrownBy(
            () ->
                annotatedWordCount()
                    .apply(InsertSampling.of("words", STAGE, List.of(2), "m", "Test")))
        .hasMessageContaining("has 2 tasks, so that there is no task 2");
  }

  @Test
  void refusesWhatIsNoStage() {
    assertThatThrownBy(
            () ->
                wordCount()
                    .apply(
                        InsertSampling.of(
                            "words", Set.of("split", "count"), List.of(0), "m", "Test")))
        .hasMessageContaining("edge words inside it is SHUFFLE");
    assertThatThrownBy(
            () ->
                wordCount()
                    .apply(
                        InsertSampling.of(
                            "words", Set.of("split", "write"), List.of(0), "m", "Test")))
        .hasMessageContaining("no ONE_TO_ONE edges join");
  }

  @Test
  void refusesAnEdgeThatTheStageDoesNotShuffle() {
    assertThatThrownBy(
            () -> wordCount().apply(InsertSampling.of("lines", STAGE, List.of(0), "m", "Test")))
        .hasMessageContaining("it is ONE_TO_ONE, not SHUFFLE");
    assertThatThrownBy(
            () ->
                wordCount()
                    .apply(InsertSampling.of("words", Set.of("read"), List.of(0), "m", "Test")))
        .hasMessageContaining("it starts at split, which is not in the stage");
  }

  @Test
  void refusesAMessageIdThatIsTakenAndAStageThatIsSampledOtherwise() {
    IRDag more =
        wordCount().apply(EDIT).toBuilder()
            .add(operator("other"))
            .add(shuffle("more", "write", "other"))
            .add(shuffle("again", "split", "other"))
            .build();

    assertThatThrownBy(
            () -> more.apply(InsertSampling.of("words", STAGE, List.of(1), "other", "Test")))
        .hasMessageContaining("sizes-collection-words measures it already");
    assertThatThrownBy(
            () -> more.apply(InsertSampling.of("again", STAGE, List.of(0), "other", "Test")))
        .hasMessageContaining("vertex read is sampled already, by the tasks [1] and not [0]");
    assertThatThrownBy(
            () ->
                more.apply(InsertSampling.of("more", Set.of("write"), List.of(0), "sizes", "Test")))
        .hasMessageContaining("aggregates a message of that id already");
  }

  @Test
  void refusesAStageThatWouldWaitForItself() {
    IRDag dag =
        wordCount().toBuilder()
            .add(operator("detour"))
            .add(shuffle("there", "read", "detour"))
            .add(shuffle("back", "detour", "split"))
            .build();

    assertThatThrownBy(() -> dag.apply(EDIT)).hasMessageContaining("would wait for each other");
  }
}
