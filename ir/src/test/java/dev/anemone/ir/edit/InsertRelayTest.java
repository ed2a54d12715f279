// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.twoShuffles;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Encoder;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InsertRelayTest {

  @Test
  void oneShuffleBecomesTwoThroughTheMainPorts() {
    IRDag before = annotatedWordCount();
    IRDag after = before.apply(new InsertRelay(List.of("words"), "relay", "Test"));

    assertThat(after.vertex("relay"))
        .isEqualTo(new RelayVertex("relay", "relay to Count", "Test", ExecutionProperties.empty()));
    assertThat(after.edge("words"))
        .isEqualTo(before.edge("words").withDestination("relay", IREdge.MAIN));
    IREdge next = after.edge("words-relay");
    assertThat(next.from()).isEqualTo("relay");
    assertThat(next.output()).isEqualTo(IREdge.MAIN);
    assertThat(next.to()).isEqualTo("count");
    assertThat(next.input()).isEqualTo(IREdge.MAIN);
    assertThat(next.elementCoder()).isEqualTo(before.edge("words").elementCoder());
    assertThat(next.properties()).isEqualTo(before.edge("words").properties());
  }

  @Test
  void severalEdgesKeepApartByPort() {
    IRDag after = twoShuffles().apply(new InsertRelay(List.of("fromA", "fromB"), "relay", "Test"));

    assertThat(after.incoming("relay"))
        .extracting(IREdge::id, IREdge::input)
        .containsExactly(tuple("fromA", "fromA"), tuple("fromB", "fromB"));
    assertThat(after.outgoing("relay"))
        .extracting(IREdge::id, IREdge::output)
        .containsExactly(tuple("fromA-relay", "fromA"), tuple("fromB-relay", "fromB"));
    assertThat(after.incoming("count"))
        .extracting(IREdge::id)
        .containsExactlyInAnyOrder("fromA-relay", "fromB-relay", "side");
  }

  @Test
  void aBroadcastIsDoneByTheRelay() {
    IRDag after = twoShuffles().apply(new InsertRelay(List.of("side"), "relay", "Test"));

    assertThat(after.edge("side").pattern()).isEqualTo(CommunicationPattern.ONE_TO_ONE);
    assertThat(after.edge("side-relay").pattern()).isEqualTo(CommunicationPattern.BROADCAST);
    assertThat(after.edge("side-relay").input()).isEqualTo("side");
  }

  @Test
  void deletingTakesOverWhatTheConsumerDecided() {
    IRDag before = annotatedWordCount();
    IRDag raw =
        before
            .apply(new InsertRelay(List.of("words"), "relay", "Test"))
            .apply(new SetEdgeProperty("words", new Decoder(Encoder.RAW_BYTES)))
            .apply(new SetEdgeProperty("words-relay", new Encoder(Encoder.RAW_BYTES)));

    assertThat(raw.apply(new DeleteInserted("relay"))).isEqualTo(before);
  }

  @Test
  void refusesEdgesIntoDifferentVertices() {
    assertThatThrownBy(
            () -> wordCount().apply(new InsertRelay(List.of("lines", "words"), "r", "Test")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("they lead to split and count");
  }

  @Test
  void refusesEdgesOfDifferentPatterns() {
    assertThatThrownBy(
            () -> twoShuffles().apply(new InsertRelay(List.of("fromA", "side"), "r", "Test")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("SHUFFLE and BROADCAST");
  }

  @Test
  void refusesNoEdgeAnEdgeTwiceAndATakenId() {
    assertThatThrownBy(() -> new InsertRelay(List.of(), "r", "Test"))
        .hasMessageContaining("at least one edge");
    assertThatThrownBy(() -> new InsertRelay(List.of("words", "words"), "r", "Test"))
        .hasMessageContaining("twice");
    assertThatThrownBy(() -> wordCount().apply(new InsertRelay(List.of("words"), "split", "Test")))
        .hasMessageContaining("already a vertex split");
  }

  @Test
  void refusesToPartWhatASampleReadsFromWhatItsOriginalReads() {
    IRDag sampled =
        wordCount().apply(InsertSampling.of("words", Set.of("split"), List.of(0), "sizes", "Test"));

    assertThatThrownBy(() -> sampled.apply(new InsertRelay(List.of("lines"), "r", "Test")))
        .hasMessageContaining("split is sampled by split-sampled");
    assertThatThrownBy(() -> sampled.apply(new InsertRelay(List.of("lines-sampled"), "r", "Test")))
        .hasMessageContaining("belongs to a sampling");
    assertThat(sampled.apply(new InsertRelay(List.of("words"), "r", "Test")).hasVertex("r"))
        .isTrue();
  }
}
