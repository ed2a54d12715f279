// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.SpillStore;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StoreLoweringTest {

  private static final IRDag DAG =
      new TestDags()
          .source("lines", "a", "b")
          .operator("words", TestFunctions.WORDS, 2)
          .oneToOne("lines", "words")
          .operator("sizes", TestFunctions.WORDS, 2)
          .spread("words", "sizes")
          .build();

  private static IREdge edge(CommunicationPattern pattern) {
    return DAG.edges().stream().filter(e -> e.pattern() == pattern).findFirst().orElseThrow();
  }

  private static IRDag with(CommunicationPattern pattern, EdgeProperty... properties) {
    IRDag dag = DAG;
    for (EdgeProperty property : properties) {
      dag = dag.apply(new SetEdgeProperty(edge(pattern).id(), property));
    }
    return dag;
  }

  @ParameterizedTest
  @EnumSource(
      value = DataStore.class,
      names = {"MEMORY", "PERSISTENT_MEMORY"})
  void whatAContainerWouldTakeWithItIsKeptInFiles(DataStore store) {
    String id = edge(CommunicationPattern.SHUFFLE).id();

    assertThat(
            StoreLowering.notes(with(CommunicationPattern.SHUFFLE, store, new SpillStore(store))))
        .containsExactly(
            "on YARN the blocks of edge "
                + id
                + " from words to sizes are kept in LOCAL_FILE, not in "
                + store
                + ": a container's memory ends with it, and other nodes are served files",
            "on YARN the spills of edge "
                + id
                + " from words to sizes are kept in LOCAL_FILE, not in "
                + store
                + ": a container's memory ends with it, and other nodes are served files");
  }

  @ParameterizedTest
  @EnumSource(
      value = DataStore.class,
      names = {"LOCAL_FILE", "REMOTE_MEMORY"})
  void whatIsThereStaysAsItIs(DataStore store) {
    assertThat(
            StoreLowering.notes(with(CommunicationPattern.SHUFFLE, store, new SpillStore(store))))
        .isEmpty();
  }

  @Test
  void whatIsPushedOrStaysInAStageIsInMemory() {
    assertThat(
            StoreLowering.notes(
                with(CommunicationPattern.SHUFFLE, DataStore.MEMORY, DataFlow.PUSH)))
        .isEmpty();
    assertThat(StoreLowering.notes(with(CommunicationPattern.ONE_TO_ONE, DataStore.MEMORY)))
        .isEmpty();
  }
}
