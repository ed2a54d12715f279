// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.testing.SampleDags.spec;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SetPropertyTest {

  @Test
  void setsAndReplacesAVertexProperty() {
    IRDag dag =
        wordCount()
            .apply(new SetVertexProperty("count", new Parallelism(2)))
            .apply(new SetVertexProperty("count", new Parallelism(8)));

    assertThat(dag.vertex("count").property(Parallelism.class)).contains(new Parallelism(8));
    assertThat(dag.edits())
        .containsExactly(
            new SetVertexProperty("count", new Parallelism(2)),
            new SetVertexProperty("count", new Parallelism(8)));
  }

  @Test
  void setsAndReplacesAnEdgeProperty() {
    IRDag dag =
        wordCount()
            .apply(new SetEdgeProperty("words", DataStore.MEMORY))
            .apply(new SetEdgeProperty("words", DataStore.LOCAL_FILE));

    assertThat(dag.edge("words").property(DataStore.class)).contains(DataStore.LOCAL_FILE);
  }

  static EdgeProperty[] whatChangesTheMeaning() {
    return new EdgeProperty[] {
      CommunicationPattern.BROADCAST,
      new KeyExtractor(spec("other")),
      new KeyEncoder(spec("other")),
      Order.NONE
    };
  }

  @ParameterizedTest
  @MethodSource("whatChangesTheMeaning")
  void refusesWhatChangesTheMeaning(EdgeProperty property) {
    assertThatThrownBy(() -> wordCount().apply(new SetEdgeProperty("words", property)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot change " + property.type().getSimpleName())
        .hasMessageContaining("words")
        .hasMessageContaining("meaning of the program");
  }

  @Test
  void theMeaningMayBeStatedWhereItIsMissingAndRepeatedWhereItIsNot() {
    IRDag dag = wordCount();

    assertThat(dag.apply(new SetEdgeProperty("words", Order.BY_KEY))).isEqualTo(dag);
    assertThat(
            dag.apply(new SetEdgeProperty("lines", Order.NONE)).edge("lines").property(Order.class))
        .contains(Order.NONE);
  }

  @Test
  void refusesAnUnknownVertexOrEdge() {
    assertThatThrownBy(() -> wordCount().apply(new SetVertexProperty("no", new Parallelism(1))))
        .hasMessageContaining("no vertex no");
    assertThatThrownBy(() -> wordCount().apply(new SetEdgeProperty("no", Order.NONE)))
        .hasMessageContaining("no edge no");
  }
}
