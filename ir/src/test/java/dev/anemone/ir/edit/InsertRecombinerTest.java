// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.testing.SampleDags.COUNT;
import static dev.anemone.ir.testing.SampleDags.COUNTING;
import static dev.anemone.ir.testing.SampleDags.KEY_BYTES;
import static dev.anemone.ir.testing.SampleDags.KEY_OF_WORD;
import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.counting;
import static dev.anemone.ir.testing.SampleDags.shuffle;
import static dev.anemone.ir.testing.SampleDags.source;
import static dev.anemone.ir.testing.SampleDags.twoShuffles;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.CombinerVertex;
import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.ShuffleAliases;
import dev.anemone.ir.check.IRDagChecker;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.AntiAffinity;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.ResourceSlot;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InsertRecombinerTest {

  private static final InsertRecombiner EDIT = new InsertRecombiner("count", "Test");

  private static IRDag combined() {
    return annotatedWordCount().apply(new InsertCombiner("count", "Test"));
  }

  @Test
  void partsOfTheShuffleCanGoThroughTheRecombiner() {
    IRDag before =
        combined()
            .apply(new SetVertexProperty("count", new ResourceSlot(512, 1, 0)))
            .apply(new SetVertexProperty("count", new AntiAffinity(Set.of(1))));
    IRDag after = before.apply(EDIT);

    assertThat(after.vertex("count-recombiner"))
        .isEqualTo(
            new CombinerVertex(
                "count-recombiner",
                "recombiner of Count",
                COUNTING.partial(),
                "Test",
                ExecutionProperties.of(new Parallelism(4), new ResourceSlot(512, 1, 0))));
    IREdge words = before.edge("words");
    assertThat(after.edge("words")).isEqualTo(words);
    assertThat(after.edge("words-divided"))
        .isEqualTo(
            new IREdge(
                "words-divided",
                words.from(),
                words.output(),
                "count-recombiner",
                IREdge.MAIN,
                COUNT,
                words.properties().with(PartitionSet.none(4))));
    assertThat(after.edge("count-recombined"))
        .isEqualTo(
            new IREdge(
                "count-recombined",
                "count-recombiner",
                IREdge.MAIN,
                "count",
                IREdge.MAIN,
                COUNT,
                ExecutionProperties.of(
                    CommunicationPattern.SHUFFLE,
                    Order.BY_KEY,
                    new KeyExtractor(KEY_OF_WORD),
                    new KeyEncoder(KEY_BYTES))));
    assertThat(IRDagChecker.standard().violations(after)).isEmpty();
  }

  @Test
  void aliasesAndOriginalsFindEachOther() {
    IRDag dag = combined().apply(EDIT);
    IREdge alias = dag.edge("words-divided");

    assertThat(ShuffleAliases.original(dag, alias)).contains(dag.edge("words"));
    assertThat(ShuffleAliases.aliasOf(dag, dag.edge("words"))).contains(alias);
    assertThat(ShuffleAliases.aliasOf(dag, dag.edge("count-recombined"))).isEmpty();
    assertThat(ShuffleAliases.original(dag, dag.edge("words"))).isEmpty();
    assertThat(ShuffleAliases.recombinersOf(dag, "count")).containsExactly("count-recombiner");
    assertThat(ShuffleAliases.isRecombiner(dag, "count-combiner-0")).isFalse();
  }

  @Test
  void everyShuffleHasItsAliasIntoTheSameRecombiner() {
    IRDag dag =
        twoShuffles()
            .apply(new SetVertexProperty("count", new Parallelism(3)))
            .apply(new InsertCombiner("count", "Test"))
            .apply(EDIT);

    assertThat(dag.incoming("count-recombiner"))
        .extracting(IREdge::id)
        .containsExactly("fromA-divided", "fromB-divided");
    assertThat(dag.outgoing("count-recombiner")).hasSize(1);
    assertThat(IRDagChecker.standard().violations(dag)).isEmpty();
  }

  @Test
  void behindARelayTheAliasStartsAtTheRelay() {
    IRDag dag = combined().apply(new InsertRelay(List.of("words"), "relay", "Test")).apply(EDIT);

    assertThat(dag.edge("words-relay-divided").from()).isEqualTo("relay");
    assertThat(IRDagChecker.standard().violations(dag)).isEmpty();
  }

  @Test
  void theConsumersCloneReadsTheSameAlias() {
    IRDag dag =
        combined().toBuilder()
            .add(counting("again"))
            .add(shuffle("more", "count", "again"))
            .build()
            .apply(EDIT)
            .apply(InsertSampling.of("more", Set.of("count"), List.of(1, 2), "m", "Test"));

    assertThat(ShuffleAliases.aliasOf(dag, dag.edge("words-sampled")))
        .contains(dag.edge("words-divided"));
    assertThat(ShuffleAliases.original(dag, dag.edge("words-divided"))).contains(dag.edge("words"));
    assertThat(dag.incoming("count-sampled"))
        .extracting(IREdge::id)
        .containsExactly("words-sampled", "count-recombined-sampled");
    assertThat(IRDagChecker.standard().violations(dag)).isEmpty();
    assertThatThrownBy(() -> dag.apply(new DeleteInserted("count-recombiner")))
        .hasMessageContaining("count is sampled by count-sampled");
  }

  @Test
  void deletingGivesTheGraphFromBefore() {
    assertThat(combined().apply(EDIT).apply(new DeleteInserted("count-recombiner")))
        .isEqualTo(combined());
  }

  @Test
  void refusesToDeleteARecombinerThatReadsSomething() {
    IRDag dag =
        combined()
            .apply(EDIT)
            .apply(
                new SetEdgeProperty(
                    "words-divided",
                    new PartitionSet(
                        List.of(List.of(new HashRange(3, 4)), List.of(), List.of(), List.of()))));

    assertThatThrownBy(() -> dag.apply(new DeleteInserted("count-recombiner")))
        .hasMessageContaining("it reads partitions by edge words-divided");
  }

  @Test
  void refusesToDeleteTheCombinersUnderIt() {
    assertThatThrownBy(() -> combined().apply(EDIT).apply(new DeleteInserted("count-combiner-0")))
        .hasMessageContaining("recombiner count-recombiner reads it; delete that first");
  }

  @Test
  void refusesRelaysOnWhatItShares() {
    IRDag dag = combined().apply(EDIT);

    for (String edge : List.of("words", "words-divided", "count-recombined")) {
      assertThatThrownBy(() -> dag.apply(new InsertRelay(List.of(edge), "relay", "Test")))
          .hasMessageContaining("a recombiner shares the data of edge " + edge);
    }
  }

  @Test
  void refusesToBeSampledOrMeasured() {
    IRDag dag = combined().apply(EDIT);

    assertThatThrownBy(
            () ->
                dag.apply(
                    InsertSampling.of(
                        "count-recombined", Set.of("count-recombiner"), List.of(0), "m", "Test")))
        .hasMessageContaining("count-recombiner is a recombiner; measure the shuffles before it");
    assertThatThrownBy(
            () ->
                dag.apply(
                    InsertSampling.of(
                        "words-divided", Set.of("count-combiner-0"), List.of(0), "m", "Test")))
        .hasMessageContaining("what is written for another shuffle");
  }

  @Test
  void refusesWhatDoesNotMergeOrMergesAnother() {
    assertThatThrownBy(() -> annotatedWordCount().apply(EDIT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it does not merge accumulators; insert its combiners first");
    assertThatThrownBy(() -> combined().apply(new InsertRecombiner("read", "Test")))
        .hasMessageContaining("is a SourceVertex, not a OperatorVertex");
    assertThatThrownBy(() -> combined().apply(EDIT).apply(EDIT))
        .hasMessageContaining("it has one already");
    assertThatThrownBy(() -> wordCount().apply(new InsertCombiner("count", "Test")).apply(EDIT))
        .hasMessageContaining("its Parallelism must be decided first");
  }

  @Test
  void refusesShufflesThatAreNotByKeyOrOfOneOutput() {
    IRDag unordered =
        IRDag.builder()
            .add(source("a", 1))
            .add(
                counting("count")
                    .withOperator(COUNTING.merging())
                    .withProperties(ExecutionProperties.of(new Parallelism(2))))
            .add(shuffle("one", "a", "count").with(Order.NONE))
            .build();
    IRDag twice =
        unordered.toBuilder()
            .replace(shuffle("one", "a", "count"))
            .add(shuffle("two", "a", "count"))
            .build();

    assertThatThrownBy(() -> unordered.apply(EDIT)).hasMessageContaining("is not ordered BY_KEY");
    assertThatThrownBy(() -> twice.apply(EDIT))
        .hasMessageContaining("edge two into its main input reads output main of a, as does");
  }
}
