// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.testing.SampleDags.COUNT;
import static dev.anemone.ir.testing.SampleDags.COUNTING;
import static dev.anemone.ir.testing.SampleDags.WORD;
import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.counting;
import static dev.anemone.ir.testing.SampleDags.oneToOne;
import static dev.anemone.ir.testing.SampleDags.shuffle;
import static dev.anemone.ir.testing.SampleDags.source;
import static dev.anemone.ir.testing.SampleDags.twoShuffles;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.CombinerVertex;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.SplitAssignment;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InsertCombinerTest {

  private static final InsertCombiner EDIT = new InsertCombiner("count", "Test");

  @Test
  void producersCombineAndTheConsumerMerges() {
    IRDag before = annotatedWordCount();
    IRDag after = before.apply(EDIT);

    assertThat(after.vertex("count-combiner-0"))
        .isEqualTo(
            new CombinerVertex(
                "count-combiner-0",
                "combiner of Count",
                COUNTING.partial(),
                "Test",
                before.vertex("split").properties()));
    assertThat(((OperatorVertex) after.vertex("count")).isMerging()).isTrue();
    IREdge values = after.edge("words-combine");
    assertThat(values.from()).isEqualTo("split");
    assertThat(values.to()).isEqualTo("count-combiner-0");
    assertThat(values.pattern()).isEqualTo(CommunicationPattern.ONE_TO_ONE);
    assertThat(values.elementCoder()).isEqualTo(WORD);
    assertThat(values.property(Encoder.class)).contains(new Encoder(WORD));
    assertThat(after.edge("words"))
        .isEqualTo(
            before
                .edge("words")
                .withSource("count-combiner-0", IREdge.MAIN)
                .withElementCoder(COUNT)
                .with(new Encoder(COUNT))
                .with(new Decoder(COUNT)));
  }

  @Test
  void everyShuffleIntoTheMainInputGetsItsOwnCombiner() {
    IRDag after = twoShuffles().apply(EDIT);

    assertThat(after.edge("fromA").from()).isEqualTo("count-combiner-0");
    assertThat(after.edge("fromB").from()).isEqualTo("count-combiner-1");
    assertThat(after.edge("side")).isEqualTo(twoShuffles().edge("side"));
  }

  @Test
  void twoShufflesOfOneOutputGetTwoCombiners() {
    IRDag dag =
        IRDag.builder()
            .add(source("a", 1))
            .add(counting("count"))
            .add(shuffle("one", "a", "count"))
            .add(shuffle("two", "a", "count"))
            .build();

    assertThat(dag.apply(EDIT).outgoing("a"))
        .extracting(IREdge::to)
        .containsExactly("count-combiner-0", "count-combiner-1");
  }

  @Test
  void aCombinerIsNoSourceAndHasNoSplits() {
    IRDag before = annotatedWordCount().apply(new CutIntoSource("read", "split"));

    assertThat(before.vertex("read").property(SplitAssignment.class)).isPresent();
    assertThat(before.apply(EDIT).vertex("count-combiner-0").property(SplitAssignment.class))
        .isEmpty();
  }

  @Test
  void deletingOneDeletesAllAndTheConsumerRunsTheWholeAgain() {
    IRDag before = twoShuffles();

    assertThat(before.apply(EDIT).apply(new DeleteInserted("count-combiner-1"))).isEqualTo(before);
  }

  @Test
  void deletingGivesBackCodersThatWereSetMeanwhile() {
    IRDag after =
        wordCount()
            .apply(EDIT)
            .apply(new SetEdgeProperty("words", new Encoder(COUNT)))
            .apply(new SetEdgeProperty("words", new Decoder(COUNT)))
            .apply(new DeleteInserted("count-combiner-0"));

    assertThat(after.edge("words").property(Encoder.class)).contains(new Encoder(WORD));
    assertThat(after.edge("words").property(Decoder.class)).contains(new Decoder(WORD));
  }

  @Test
  void refusesToDeleteUnderARelay() {
    IRDag dag = wordCount().apply(EDIT).apply(new InsertRelay(List.of("words"), "r", "Test"));

    assertThatThrownBy(() -> dag.apply(new DeleteInserted("count-combiner-0")))
        .hasMessageContaining("it feeds r, which must be deleted first");
  }

  @Test
  void refusesWhatCannotBeSplit() {
    assertThatThrownBy(() -> wordCount().apply(new InsertCombiner("split", "Test")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("split: its function cannot be split");
    assertThatThrownBy(() -> wordCount().apply(new InsertCombiner("read", "Test")))
        .hasMessageContaining("is a SourceVertex, not a OperatorVertex");
  }

  @Test
  void refusesToCombineTwice() {
    assertThatThrownBy(() -> wordCount().apply(EDIT).apply(EDIT))
        .hasMessageContaining("already merges");
  }

  @Test
  void refusesWhenValuesWouldReachTheMergingHalf() {
    IRDag dag =
        IRDag.builder()
            .add(source("a", 1))
            .add(counting("count"))
            .add(shuffle("one", "a", "count"))
            .add(oneToOne("direct", "a", "count"))
            .build();

    assertThatThrownBy(() -> dag.apply(EDIT))
        .hasMessageContaining("edge direct into its main input is ONE_TO_ONE");
  }

  @Test
  void refusesWhenTheConsumerIsSampled() {
    IRDag dag =
        wordCount().toBuilder()
            .add(counting("again"))
            .add(shuffle("more", "count", "again"))
            .build()
            .apply(InsertSampling.of("more", Set.of("count"), List.of(0), "sizes", "Test"));

    assertThatThrownBy(() -> dag.apply(EDIT)).hasMessageContaining("count is sampled");
  }
}
