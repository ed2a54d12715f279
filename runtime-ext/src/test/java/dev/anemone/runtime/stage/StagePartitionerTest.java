// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class StagePartitionerTest {

  private static List<List<String>> stages(IRDag dag) {
    return StagePartitioner.partition(dag).stages().stream()
        .map(stage -> stage.vertices().stream().map(IRVertex::id).toList())
        .toList();
  }

  private static TestDags operators(String... ids) {
    TestDags dags = new TestDags().source("read", "x");
    for (String id : ids) {
      dags.operator(id, TestFunctions.COLLECT, 1);
    }
    return dags;
  }

  @Test
  void oneToOneEdgesAreFusedAndShufflesAreNot() {
    assertThat(
            stages(
                operators("a", "b", "c")
                    .oneToOne("read", "a")
                    .grouped("a", "b", 1)
                    .oneToOne("b", "c")
                    .build()))
        .containsExactly(List.of("read", "a"), List.of("b", "c"));
  }

  @Test
  void twoSourcesOfOneFlattenShareAStage() {
    assertThat(
            stages(
                operators("flat")
                    .source("other", "y")
                    .oneToOne("read", "flat")
                    .oneToOne("other", "flat")
                    .build()))
        .containsExactly(List.of("read", "other", "flat"));
  }

  @Test
  void aStageNeverDependsOnItself() {
    assertThat(
            stages(
                operators("grouped", "flat")
                    .grouped("read", "grouped", 1)
                    .oneToOne("read", "flat")
                    .oneToOne("grouped", "flat")
                    .build()))
        .as("reading and flattening in one stage would put the shuffle into a cycle")
        .containsExactly(List.of("read"), List.of("grouped", "flat"));
  }

  @Test
  void differentPlacementSeparatesStages() {
    IRDag dag = operators("a", "b").oneToOne("read", "a").oneToOne("a", "b").build();
    assertThat(stages(dag.apply(new SetVertexProperty("b", ResourcePriority.RESERVED))))
        .containsExactly(List.of("read", "a"), List.of("b"));
    assertThat(stages(dag.apply(new SetVertexProperty("b", new Parallelism(2)))))
        .containsExactly(List.of("read", "a"), List.of("b"));
  }

  @Test
  void aRelayIsAStageOfItsOwn() {
    assertThat(
            stages(
                operators("a")
                    .oneToOne("read", "a")
                    .build()
                    .apply(new InsertRelay(List.of("e0"), "relay", "test"))
                    .apply(new SetVertexProperty("relay", new Parallelism(1)))))
        .containsExactly(List.of("read"), List.of("relay"), List.of("a"));
  }

  @Property(tries = 200)
  void stagesOfAnyGraphAreAcyclicAndCoverItOnce(
      @ForAll @Size(min = 1, max = 25) List<@IntRange(max = 1_000_000) Integer> choices) {
    TestDags dags = new TestDags().source("v0", "x");
    for (int i = 1; i <= choices.size(); i++) {
      int choice = choices.get(i - 1);
      dags.operator("v" + i, TestFunctions.COLLECT, 1);
      for (int k = 0; k <= choice % 3; k++) {
        String from = "v" + (choice / (7 * (k + 1))) % i;
        switch ((choice / (3 + k)) % 4) {
          case 0 -> dags.grouped(from, "v" + i, 1);
          case 1 -> dags.broadcast(from, "v" + i, "side" + k);
          default -> dags.oneToOne(from, "v" + i);
        }
      }
    }
    StageGraph graph = TransferSeparation.separate(StagePartitioner.partition(dags.build()));
    Map<String, Integer> position = new HashMap<>();
    int stages = 0;
    for (Stage stage : graph.stages()) {
      for (IRVertex vertex : stage.vertices()) {
        assertThat(position.put(vertex.id(), stages)).as(vertex.id()).isNull();
      }
      stages++;
    }
    assertThat(position.keySet())
        .containsExactlyInAnyOrderElementsOf(
            graph.dag().vertices().stream().map(IRVertex::id).toList());
    Map<String, Transfer> transfers = new HashMap<>();
    graph
        .crossingEdges()
        .forEach(
            edge -> {
              int from = position.get(edge.from());
              int to = position.get(edge.to());
              assertThat(from).isLessThan(to);
              Transfer other = transfers.put(from + " " + to, Transfer.of(edge));
              assertThat(other).isIn(null, Transfer.of(edge));
            });
  }
}
