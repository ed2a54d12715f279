// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.ClonedScheduling;
import dev.anemone.ir.property.DataPersistence;
import dev.anemone.ir.property.SharedOutput;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiscardableOutputTest {

  /** Two stages read the words; all edges are to be discarded. */
  private static IRDag twoReaders() {
    IRDag dag =
        new TestDags()
            .source("read", "a=1")
            .operator("one", TestFunctions.SUM, 2)
            .operator("two", TestFunctions.SUM, 2)
            .grouped("read", "one", 2)
            .grouped("read", "two", 2)
            .build();
    return dag.apply(new SetEdgeProperty("e0", DataPersistence.DISCARD))
        .apply(new SetEdgeProperty("e1", DataPersistence.DISCARD));
  }

  private static List<DiscardableOutput> ofReader(IRDag dag) {
    List<StagePlan> plans = plans(dag);
    return DiscardableOutput.of(plans.get(0), plans);
  }

  private static List<StagePlan> plans(IRDag dag) {
    StageGraph graph = TransferSeparation.separate(StagePartitioner.partition(dag));
    return new StagePlanner(graph, Sampling.of(dag))
        .plan(new StagePlan.Job("job", new byte[0], ""));
  }

  @Test
  void whatIsWrittenTwiceHasTwoReaders() {
    assertThat(ofReader(twoReaders()))
        .hasSize(2)
        .allSatisfy(output -> assertThat(output.consumers()).hasSize(1));
  }

  @Test
  void whatIsSharedHasAllItsReaders() {
    List<DiscardableOutput> outputs =
        ofReader(twoReaders().apply(new SetEdgeProperty("e1", new SharedOutput("e0"))));
    assertThat(outputs).hasSize(1);
    assertThat(outputs.get(0).consumers()).hasSize(2);
  }

  @Test
  void whatOneOfItsReadersKeepsIsKept() {
    IRDag kept =
        twoReaders()
            .apply(new SetEdgeProperty("e1", new SharedOutput("e0")))
            .apply(new SetEdgeProperty("e1", DataPersistence.KEEP));
    assertThat(ofReader(kept)).isEmpty();
  }

  @Test
  void anAggregationWritesOneBlockForAllItsReaders() {
    IRDag dag =
        new TestDags()
            .source("read", "a=1")
            .aggregation("relay", 1)
            .operator("one", TestFunctions.SUM, 2)
            .operator("two", TestFunctions.SUM, 2)
            .pushed("read", "relay", "main", 1, 2)
            .aggregated("relay", "main", "one", 2)
            .aggregated("relay", "main", "two", 2)
            .build();
    for (String edge : List.of("e0", "e1", "e2")) {
      dag = dag.apply(new SetEdgeProperty(edge, DataPersistence.DISCARD));
    }
    List<StagePlan> plans = plans(dag);
    StagePlan relay = plans.stream().filter(StagePlan::isAggregation).findFirst().orElseThrow();
    List<DiscardableOutput> outputs = DiscardableOutput.of(relay, plans);
    assertThat(outputs).hasSize(1);
    assertThat(outputs.get(0).link()).isZero();
    assertThat(outputs.get(0).consumers()).hasSize(2);
  }

  /** The attempt that loses may still read when its stage has succeeded. */
  @Test
  void whatTwoAttemptsMayReadAtATimeIsKept() {
    IRDag cloned = twoReaders().apply(new SetVertexProperty("two", new ClonedScheduling(1.0, 0.5)));
    assertThat(ofReader(cloned)).hasSize(1);
  }
}
