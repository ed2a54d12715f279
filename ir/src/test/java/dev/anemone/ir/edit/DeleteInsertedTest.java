// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeleteInsertedTest {

  @Test
  void refusesToDeleteAPartOfTheProgram() {
    assertThatThrownBy(() -> wordCount().apply(new DeleteInserted("split")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no pass inserted it");
    assertThatThrownBy(() -> wordCount().apply(new DeleteInserted("read")))
        .hasMessageContaining("belongs to the program");
  }

  @Test
  void insertionsCanBeDeletedInTheOrderOfTheirInsertionUpToAnEdgeId() {
    IRDag before = annotatedWordCount();
    IRDag after =
        before
            .apply(new InsertRelay(List.of("words"), "relay", "Test"))
            .apply(new InsertCombiner("count", "Test"))
            .apply(InsertSampling.of("words", Set.of("split"), List.of(0), "sizes", "Test"))
            .apply(new DeleteInserted("split-sampled"))
            .apply(new DeleteInserted("relay"))
            .apply(new DeleteInserted("count-combiner-0"));

    IREdge words = before.edge("words");
    assertThat(after)
        .isEqualTo(
            before.toBuilder()
                .removeEdge("words")
                .add(
                    new IREdge(
                        "words-relay",
                        words.from(),
                        words.output(),
                        words.to(),
                        words.input(),
                        words.elementCoder(),
                        words.properties()))
                .build());
  }

  @Test
  void refusesToDeleteWhatIsSampledOrReadByWhatIsSampled() {
    IRDag relayed = wordCount().apply(new InsertRelay(List.of("lines"), "relay", "Test"));
    IRDag readerSampled =
        relayed.apply(InsertSampling.of("words", Set.of("split"), List.of(0), "sizes", "Test"));

    assertThatThrownBy(() -> readerSampled.apply(new DeleteInserted("relay")))
        .hasMessageContaining("cannot delete relay relay");
  }

  @Test
  void refusesToDeleteTheRelayBehindAMeasuredShuffleThatWouldBeNoneThen() {
    IRDag dag =
        wordCount()
            .apply(new InsertRelay(List.of("words"), "relay", "Test"))
            .apply(new InsertCombiner("count", "Test"))
            .apply(InsertSampling.of("words", Set.of("split"), List.of(0), "sizes", "Test"));

    assertThatThrownBy(() -> dag.apply(new DeleteInserted("relay")))
        .hasMessageContaining("edge words is measured by sizes-collection-words");
  }

  @Test
  void refusesToDeleteCombinersThatAreSampled() {
    IRDag dag =
        wordCount()
            .apply(new InsertCombiner("count", "Test"))
            .apply(
                InsertSampling.of(
                    "words", Set.of("count-combiner-0"), List.of(0), "sizes", "Test"));

    assertThatThrownBy(() -> dag.apply(new DeleteInserted("count-combiner-0")))
        .hasMessageContaining("is sampled by count-combiner-0-sampled");
  }
}
