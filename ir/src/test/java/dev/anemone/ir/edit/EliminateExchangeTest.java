// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.testing.SampleDags.oneToOne;
import static dev.anemone.ir.testing.SampleDags.operator;
import static dev.anemone.ir.testing.SampleDags.shuffle;
import static dev.anemone.ir.testing.SampleDags.source;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.check.IRDagChecker;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EliminateExchangeTest {

  private static final PartitionedQuery QUERY =
      new PartitionedQuery(
          new RelationalQuery(
              new Relation.Input("x0", RowType.of(Field.required("id", SimpleType.INT64)))),
          Set.of("x0"));

  private static final EliminateExchange EDIT = new EliminateExchange("query");

  private static IRDag exchange(int producers, int consumers) {
    return IRDag.builder()
        .add(source("read", 1).withProperties(ExecutionProperties.of(new Parallelism(producers))))
        .add(
            OperatorVertex.of("query", "query", RelationalFunctions.partitionsOf(QUERY))
                .withProperties(ExecutionProperties.of(new Parallelism(consumers))))
        .add(shuffle("x0", "read", "query"))
        .build();
  }

  @Test
  void shufflesBecomeOneToOneAndTheQueryRunsOnce() {
    IRDag after = exchange(1, 1).apply(EDIT);

    IREdge edge = after.edge("x0");
    assertThat(edge.properties().values()).containsExactly(CommunicationPattern.ONE_TO_ONE);
    OperatorVertex query = (OperatorVertex) after.vertex("query");
    assertThat(query.operator().urn()).isEqualTo(RelationalFunctions.TOGETHER_URN);
    assertThat(RelationalFunctions.partitionedOf(query.operator())).contains(QUERY);
    assertThat(IRDagChecker.standard().violations(after)).isEmpty();
  }

  @Test
  void refusesSeveralTasksOnEitherSide() {
    assertThatThrownBy(() -> exchange(2, 1).apply(EDIT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("vertex read has 2 tasks and must have one");
    assertThatThrownBy(() -> exchange(1, 2).apply(EDIT))
        .hasMessageContaining("vertex query has 2 tasks and must have one");
  }

  @Test
  void refusesOtherFunctionsAndOtherEdges() {
    IRDag other =
        exchange(1, 1).toBuilder()
            .replace(operator("query").withProperties(ExecutionProperties.of(new Parallelism(1))))
            .build();
    assertThatThrownBy(() -> other.apply(EDIT)).hasMessageContaining("no query on partitions");
    IRDag oneToOne =
        exchange(1, 1).toBuilder().removeEdge("x0").add(oneToOne("x0", "read", "query")).build();
    assertThatThrownBy(() -> oneToOne.apply(EDIT))
        .hasMessageContaining("edge x0 is ONE_TO_ONE, not SHUFFLE");
  }

  @Test
  void refusesARelayAndAMeasuredShuffle() {
    IRDag relayed =
        exchange(1, 1)
            .apply(new InsertRelay(List.of("x0"), "relay", "test"))
            .apply(new SetVertexProperty("relay", new Parallelism(1)));
    assertThatThrownBy(() -> relayed.apply(EDIT)).hasMessageContaining("relay relay hands on");
    IRDag measured =
        exchange(1, 1)
            .apply(InsertSampling.of("x0", Set.of("read"), List.of(0), "sizes", "Sampling"));
    assertThatThrownBy(() -> measured.apply(EDIT)).hasMessageContaining("edge x0 is measured");
  }
}
