// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PartitionerPassTest {

  private static final PassContext CONTEXT = Plans.CONTEXT.withOption("parallelism", "4");

  @Test
  void planBeforeAndAfter() {
    IRDag dag =
        IRDag.builder()
            .add(Plans.source("lines", 1, 1))
            .add(Plans.operator("count"))
            .add(Plans.operator("write"))
            .add(Plans.groupByKey("e1", "lines", "count"))
            .add(Plans.reshuffle("e2", "count", "write"))
            .build();
    GoldenPlan.assertMatches(
        "PartitionerPass",
        Plans.lastStep(
            dag,
            CONTEXT,
            new EncoderPass(),
            new DecoderPass(),
            new ParallelismPass(),
            new PartitionerPass()));
  }

  @Test
  void aMultiplierThatWasSetGivesMorePartitions() {
    IRDag dag =
        partitioned(Plans.wordCount().apply(new SetEdgeProperty("e2", new Partitioner.Hash(8))));
    assertThat(dag.edge("e2").property(PartitionSet.class)).contains(PartitionSet.even(4, 8));
  }

  @Test
  void shufflesIntoOneVertexMeetKeyByKey() {
    PartitionSet uneven =
        new PartitionSet(
            List.of(
                List.of(new HashRange(0, 5)),
                List.of(new HashRange(5, 6)),
                List.of(new HashRange(6, 7)),
                List.of(new HashRange(7, 8))));
    IRDag dag =
        partitioned(
            IRDag.builder()
                .add(Plans.source("a", 1, 1))
                .add(Plans.source("b", 1, 1))
                .add(Plans.operator("join"))
                .add(Plans.groupByKey("e1", "a", "join"))
                .add(Plans.groupByKey("e2", "b", "join"))
                .build()
                .apply(new SetEdgeProperty("e2", new Partitioner.Hash(2)))
                .apply(new SetEdgeProperty("e2", uneven)));
    assertThat(dag.edge("e1").property(Partitioner.class)).contains(new Partitioner.Hash(2));
    assertThat(dag.edge("e1").property(PartitionSet.class)).contains(uneven);
  }

  @Test
  void aRelayHasThePartitionsOfTheShuffleThatLeavesIt() {
    IRDag dag =
        partitioned(
            Plans.wordCount()
                .apply(new InsertRelay(List.of("e2"), "relay", "test"))
                .apply(new SetVertexProperty("relay", new Parallelism(3))));
    assertThat(dag.edge("e2-relay").property(PartitionSet.class)).contains(PartitionSet.even(4, 1));
    assertThat(dag.edge("e2").property(PartitionSet.class).orElseThrow().perTask())
        .containsExactly(
            List.of(new HashRange(0, 1)),
            List.of(new HashRange(1, 2)),
            List.of(new HashRange(2, 4)));
  }

  @Test
  void aShuffleThatOnlySpreadsHasThePartitionsOfItsConsumerAtARelayToo() {
    IRDag dag =
        partitioned(
            IRDag.builder()
                .add(Plans.source("lines", 1, 1))
                .add(Plans.operator("write"))
                .add(Plans.reshuffle("e1", "lines", "write"))
                .build()
                .apply(new InsertRelay(List.of("e1"), "relay", "test"))
                .apply(new SetVertexProperty("relay", new Parallelism(2))));
    assertThat(dag.edge("e1").property(Partitioner.class)).contains(new Partitioner.Spread());
    assertThat(dag.edge("e1").property(PartitionSet.class)).contains(PartitionSet.even(2, 2));
    assertThat(dag.edge("e1-relay").property(PartitionSet.class)).contains(PartitionSet.even(4, 1));
  }

  @Test
  void recordsThatAreMadeInTheSameOrderAgainAreDealtOutInTurn() {
    IRDag dag = partitioned(dealtOut());

    assertThat(dag.edge("e1").property(Partitioner.class)).contains(new Partitioner.RoundRobin());
  }

  private static IRDag dealtOut() {
    return IRDag.builder()
        .add(Plans.source("lines", 1, 1))
        .add(Plans.operator("write").withTraits(Set.of(OperatorTrait.READS_REPEATABLE_ORDER)))
        .add(Plans.reshuffle("e1", "lines", "write"))
        .build();
  }

  @Test
  void aRelayKeepsThePartitionsThatWereDealtOut() {
    IRDag dag =
        partitioned(
            dealtOut()
                .apply(new InsertRelay(List.of("e1"), "relay", "test"))
                .apply(new SetVertexProperty("relay", new Parallelism(2))));

    assertThat(dag.edges())
        .extracting(edge -> edge.property(Partitioner.class))
        .containsOnly(Optional.of(new Partitioner.RoundRobin()));
  }

  @Test
  void aRelayThatDecodesCannotDealOutWhatShufflesBringInAnyOrder() {
    IRDag dag =
        partitioned(
            dealtOut()
                .apply(new InsertRelay(List.of("e1"), "relay", "test"))
                .apply(new SetEdgeProperty("e1", new Decoder(FunctionSpec.of("test:coder"))))
                .apply(new SetEdgeProperty("e1-relay", new Encoder(FunctionSpec.of("test:coder"))))
                .apply(new SetVertexProperty("relay", new Parallelism(2))));

    assertThat(dag.edge("e1-relay").property(Partitioner.class)).contains(new Partitioner.Spread());
  }

  @Test
  void aNoteSaysWhereRecordsAreDividedByTheirContent() {
    IRDag dag =
        IRDag.builder()
            .add(Plans.source("lines", 1, 1))
            .add(Plans.operator("count"))
            .add(Plans.operator("write").withTraits(Set.of(OperatorTrait.READS_REPEATABLE_ORDER)))
            .add(Plans.reshuffle("e1", "lines", "count"))
            .add(Plans.reshuffle("e2", "lines", "write"))
            .build();

    assertThat(
            Plans.lastStep(
                    dag,
                    CONTEXT,
                    new EncoderPass(),
                    new DecoderPass(),
                    new ParallelismPass(),
                    new PartitionerPass())
                .notes())
        .singleElement()
        .asString()
        .startsWith("shuffle e1 (lines to count) divides records by their content");
  }

  @Test
  void aRelayThatDecodesPartitionsAnew() {
    Decoder decoder = new Decoder(FunctionSpec.of("test:coder"));
    Encoder encoder = new Encoder(FunctionSpec.of("test:coder"));
    IRDag dag =
        partitioned(
            Plans.wordCount()
                .apply(new InsertRelay(List.of("e2"), "relay", "test"))
                .apply(new SetEdgeProperty("e2", decoder))
                .apply(new SetEdgeProperty("e2-relay", encoder))
                .apply(new SetVertexProperty("relay", new Parallelism(3))));
    assertThat(dag.edge("e2").property(PartitionSet.class)).contains(PartitionSet.even(3, 1));
    assertThat(dag.edge("e2-relay").property(PartitionSet.class)).contains(PartitionSet.even(4, 1));
  }

  @Test
  void returnsTheSameGraphWhenNothingIsMissing() {
    IRDag done = partitioned(Plans.wordCount());
    assertThat(new PartitionerPass().apply(done, CONTEXT)).isSameAs(done);
  }

  private static IRDag partitioned(IRDag dag) {
    return Plans.lastStep(
            dag,
            CONTEXT,
            new EncoderPass(),
            new DecoderPass(),
            new ParallelismPass(),
            new PartitionerPass())
        .after();
  }
}
