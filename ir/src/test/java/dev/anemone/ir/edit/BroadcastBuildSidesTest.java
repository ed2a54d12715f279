// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.testing.SampleDags.oneToOne;
import static dev.anemone.ir.testing.SampleDags.operator;
import static dev.anemone.ir.testing.SampleDags.shuffle;
import static dev.anemone.ir.testing.SampleDags.source;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.check.IRDagChecker;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.exchange.Exchange;
import dev.anemone.ir.relational.exchange.ExchangeWrite;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ir.relational.exchange.Partitioning;
import dev.anemone.ir.relational.exchange.PiecedQuery;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BroadcastBuildSidesTest {

  private static final RowType ORDERS = RowType.of(Field.required("o_key", SimpleType.INT64));
  private static final RowType NOTES = RowType.of(Field.required("n_order", SimpleType.INT64));
  private static final RowType DAYS = RowType.of(Field.required("d_key", SimpleType.INT64));

  /** Orders with their notes, and all days beside. */
  private static final RelationalQuery QUERY =
      new RelationalQuery(
          join(
              join(
                  new Relation.Input("x0", ORDERS),
                  "o_key",
                  new Relation.Input("x1", NOTES),
                  "n_order"),
              "o_key",
              new Relation.Input("x2", DAYS),
              "d_key"));

  private static final BroadcastBuildSides EDIT = new BroadcastBuildSides("query", "x0");

  private static Relation join(Relation left, String leftKey, Relation right, String rightKey) {
    return new Relation.Join(
        JoinKind.LEFT,
        left,
        right,
        List.of(new Relation.KeyPair(leftKey, rightKey)),
        Optional.empty());
  }

  private static OperatorVertex exchange(String id, RowType row, Partitioning partitioning) {
    return OperatorVertex.of(
        id,
        id,
        RelationalFunctions.exchangeOf(
            new ExchangeWrite(new Exchange(id, row, partitioning, OptionalLong.of(9)), 4)));
  }

  private static Partitioning by(String column) {
    return new Partitioning.Hash(List.of(column));
  }

  private static IRDag joined() {
    return IRDag.builder()
        .add(source("orders", 4))
        .add(source("notes", 1))
        .add(source("days", 1))
        .add(exchange("x0", ORDERS, by("o_key")))
        .add(exchange("x1", NOTES, by("n_order")))
        .add(exchange("x2", DAYS, new Partitioning.Replicate()))
        .add(
            OperatorVertex.of(
                "query",
                "query",
                RelationalFunctions.partitionsOf(new PartitionedQuery(QUERY, Set.of("x2")))))
        .add(operator("write"))
        .add(oneToOne("e1", "orders", "x0"))
        .add(oneToOne("e2", "notes", "x1"))
        .add(oneToOne("e3", "days", "x2"))
        .add(shuffle("e4", "x0", "query"))
        .add(shuffle("e5", "x1", "query"))
        .add(shuffle("e6", "x2", "query"))
        .add(oneToOne("e7", "query", "write"))
        .build();
  }

  private static ExchangeWrite write(IRDag dag, String id) {
    return RelationalFunctions.exchangeOf(((OperatorVertex) dag.vertex(id)).operator())
        .orElseThrow();
  }

  private static void assertRefused(IRDag dag, String message) {
    assertThatThrownBy(() -> dag.apply(EDIT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot run query where x0 is made: ")
        .hasMessageContaining(message);
  }

  @Test
  void oneSideStaysAndTheOthersAreBroadcast() {
    IRDag after = joined().apply(EDIT);

    assertThat(RelationalFunctions.piecedOf(((OperatorVertex) after.vertex("query")).operator()))
        .contains(new PiecedQuery(QUERY, "x0"));
    assertThat(after.edge("e4").properties().values())
        .containsExactly(CommunicationPattern.ONE_TO_ONE);
    assertThat(after.edge("e4").input()).isEqualTo(IREdge.MAIN);
    assertThat(write(after, "x0"))
        .isEqualTo(
            new ExchangeWrite(
                new Exchange("x0", ORDERS, new Partitioning.Stay(), OptionalLong.of(9)), 1));
    for (String edge : List.of("e5", "e6")) {
      assertThat(after.edge(edge).properties().values())
          .containsExactly(CommunicationPattern.BROADCAST);
      assertThat(after.edge(edge).input()).isEqualTo(after.edge(edge).from());
      assertThat(write(after, after.edge(edge).from()).exchange().partitioning())
          .isEqualTo(new Partitioning.Broadcast());
    }
    assertThat(IRDagChecker.standard().violations(after)).isEmpty();
  }

  @Test
  void aWholeAggregateIsDoneInHalves() {
    Relation counted =
        Relation.Step.of(
            new Project(List.of(NamedExpression.column("n"))),
            Relation.Step.of(
                Aggregate.complete(List.of("o_key"), List.of(AggregateCall.countRows("n"))),
                QUERY.root()));
    IRDag dag =
        joined().toBuilder()
            .replace(
                OperatorVertex.of(
                    "query",
                    "query",
                    RelationalFunctions.partitionsOf(
                        new PartitionedQuery(new RelationalQuery(counted), Set.of("x2")))))
            .build();
    IRDag after = dag.apply(EDIT);

    PiecedQuery first =
        RelationalFunctions.piecedOf(((OperatorVertex) after.vertex("query-pieces")).operator())
            .orElseThrow();
    assertThat(first.query().line())
        .isEqualTo(
            "aggregate partial by o_key: count(*) as n {left join by o_key = d_key"
                + " {left join by o_key = n_order {x0; x1}; x2}}");
    assertThat(first.pieces()).isEqualTo("x0");
    for (String edge : List.of("e4", "e5", "e6")) {
      assertThat(after.edge(edge).to()).isEqualTo("query-pieces");
    }
    assertThat(write(after, "query-states"))
        .isEqualTo(
            new ExchangeWrite(new Exchange("x0 in halves", first.query().row(), by("o_key")), 4));
    IREdge states = after.edge("query-states-out");
    assertThat(states.properties()).isEqualTo(dag.edge("e4").properties());
    assertThat(states.to()).isEqualTo("query");
    OperatorVertex second = (OperatorVertex) after.vertex("query");
    assertThat(second.operator().urn()).isEqualTo(RelationalFunctions.PARTITIONS_URN);
    assertThat(RelationalFunctions.partitionedOf(second.operator()).orElseThrow().query().line())
        .isEqualTo("project n {aggregate final by o_key: count(*) as n {x0 in halves}}");
    assertThat(after.edge("e7").from()).isEqualTo("query");
    assertThat(IRDagChecker.standard().violations(after)).isEmpty();
  }

  @Test
  void aSideMayComeFromSeveralVerticesIfItDoesNotStay() {
    IRDag two =
        joined().toBuilder()
            .add(source("more", 1))
            .add(OperatorVertex.of("too", "too", exchange("x1", NOTES, by("n_order")).operator()))
            .add(oneToOne("e8", "more", "too"))
            .add(shuffle("e9", "too", "query"))
            .build();
    IRDag after = two.apply(EDIT);
    assertThat(after.edge("e9").input()).isEqualTo(after.edge("e5").input()).isEqualTo("x1");
    assertThatThrownBy(() -> two.apply(new BroadcastBuildSides("query", "x1")))
        .hasMessageContaining("on some rows of it at a time it may give others");
  }

  @Test
  void refusesRowsOfSeveralVerticesToStay() {
    assertRefused(
        joined().toBuilder()
            .add(source("more", 1))
            .add(OperatorVertex.of("too", "too", exchange("x0", ORDERS, by("o_key")).operator()))
            .add(oneToOne("e8", "more", "too"))
            .add(shuffle("e9", "too", "query"))
            .build(),
        "rows of it come from 2 vertices, not one");
  }

  @Test
  void refusesAnotherFunctionAnotherEdgeAndNoExchange() {
    IRDag dag = joined();
    assertRefused(
        dag.toBuilder()
            .replace(OperatorVertex.of("query", "query", operator("x").operator()))
            .build(),
        "it runs no query on partitions");
    assertRefused(
        dag.toBuilder().removeEdge("e5").add(oneToOne("e5", "x1", "query")).build(),
        "edge e5 is ONE_TO_ONE, not SHUFFLE");
    assertRefused(
        dag.toBuilder().removeEdge("e5").add(shuffle("e5", "notes", "query")).build(),
        "vertex notes is a SourceVertex, not a OperatorVertex");
    assertRefused(
        dag.toBuilder().replace(exchange("x1", NOTES, new Partitioning.Gather())).build(),
        "the rows of x1 are there by gather");
  }

  @Test
  void refusesWhatOthersRead() {
    assertRefused(
        joined().toBuilder().add(oneToOne("e8", "x1", "write")).build(),
        "somebody else reads x1, too");
  }

  @Test
  void refusesWhatIsMeasured() {
    assertRefused(
        joined()
            .apply(InsertSampling.of("e5", Set.of("notes", "x1"), List.of(0), "sizes", "Sampling")),
        "edge e5 is measured");
  }

  @Test
  void refusesDifferentNumbersOfTasks() {
    assertRefused(
        joined().apply(new SetVertexProperty("query", new Parallelism(3))),
        "x0 and query were given different numbers of tasks");
  }
}
