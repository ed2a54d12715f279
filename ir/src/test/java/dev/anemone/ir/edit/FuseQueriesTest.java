// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.testing.SampleDags.broadcast;
import static dev.anemone.ir.testing.SampleDags.oneToOne;
import static dev.anemone.ir.testing.SampleDags.operator;
import static dev.anemone.ir.testing.SampleDags.source;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.check.IRDagChecker;
import dev.anemone.ir.property.KeyFilters;
import dev.anemone.ir.property.KeyFilters.KeyFilter;
import dev.anemone.ir.property.NativeMemory;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.exchange.Exchange;
import dev.anemone.ir.relational.exchange.ExchangeWrite;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ir.relational.exchange.Partitioning;
import dev.anemone.ir.relational.exchange.PiecedQuery;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FuseQueriesTest {

  private static final RowType ROW = RowType.of(Field.required("id", SimpleType.INT64));
  private static final FuseQueries EDIT = new FuseQueries("x1");

  private static Relation union(String... inputs) {
    return new Relation.Union(
        List.of(inputs).stream().<Relation>map(name -> new Relation.Input(name, ROW)).toList());
  }

  private static OperatorVertex query(String id, Relation relation, Set<String> replicated) {
    return OperatorVertex.of(
        id,
        id,
        RelationalFunctions.togetherOf(
            new PartitionedQuery(new RelationalQuery(relation), replicated)));
  }

  private static OperatorVertex exchange(String name) {
    return OperatorVertex.of(
        name,
        name,
        RelationalFunctions.exchangeOf(
            new ExchangeWrite(new Exchange(name, ROW, new Partitioning.Spread()), 2)));
  }

  /** A query of x0, and one of what that gives over x1, and of others. */
  private static IRDag chain(Relation above) {
    return IRDag.builder()
        .add(source("read", 1))
        .add(exchange("x0"))
        .add(query("below", union("x0"), Set.of("x0")))
        .add(exchange("x1"))
        .add(query("above", above, Set.of("x1")))
        .add(operator("write"))
        .add(oneToOne("e1", "read", "x0"))
        .add(oneToOne("e2", "x0", "below"))
        .add(oneToOne("e3", "below", "x1"))
        .add(oneToOne("e4", "x1", "above"))
        .add(oneToOne("e5", "above", "write"))
        .build();
  }

  @Test
  void theQueryBelowStandsWhereItsRowsWereRead() {
    IRDag after = chain(union("x1", "x2", "x1")).apply(EDIT);

    assertThat(after.hasVertex("below")).isFalse();
    assertThat(after.hasVertex("x1")).isFalse();
    assertThat(after.edge("e2").to()).isEqualTo("above");
    PartitionedQuery fused =
        RelationalFunctions.partitionedOf(((OperatorVertex) after.vertex("above")).operator())
            .orElseThrow();
    assertThat(fused.query().line()).isEqualTo("union all {union all {x0}; x2; union all {x0}}");
    assertThat(fused.replicated()).containsExactly("x0");
    assertThat(IRDagChecker.standard().violations(after)).isEmpty();
  }

  private static OperatorVertex onPieces(String id, Relation relation, String pieces) {
    return OperatorVertex.of(
            id,
            id,
            RelationalFunctions.piecesOf(new PiecedQuery(new RelationalQuery(relation), pieces)))
        .withProperties(ExecutionProperties.of(new NativeMemory(id.equals("below") ? 20 : 10)));
  }

  /** The same on pieces, with rows of y0 beside the one below, and rows of y1 beside the other. */
  private static IRDag onPieces() {
    return chain(union("x1")).toBuilder()
        .replace(onPieces("below", union("x0", "y0"), "x0"))
        .replace(onPieces("above", union("x1", "y1"), "x1"))
        .add(source("y", 1))
        .add(broadcast("e6", "y", "below").withDestination("below", "y0"))
        .add(broadcast("e7", "y", "above").withDestination("above", "y1"))
        .build();
  }

  @Test
  void onPiecesAllThatIsBesideIsBesideBoth() {
    IRDag after = onPieces().apply(EDIT);

    assertThat(after.hasVertex("below")).isFalse();
    assertThat(after.edge("e2").to()).isEqualTo("above");
    assertThat(after.edge("e2").input()).isEqualTo(IREdge.MAIN);
    assertThat(after.edge("e6").to()).isEqualTo("above");
    assertThat(after.edge("e6").input()).isEqualTo("y0");
    OperatorVertex above = (OperatorVertex) after.vertex("above");
    PiecedQuery fused = RelationalFunctions.piecedOf(above.operator()).orElseThrow();
    assertThat(fused.query().line()).isEqualTo("union all {union all {x0; y0}; y1}");
    assertThat(fused.pieces()).isEqualTo("x0");
    assertThat(above.property(NativeMemory.class)).contains(new NativeMemory(20));
    assertThat(IRDagChecker.standard().violations(after)).isEmpty();
  }

  @Test
  void refusesQueriesThatRunInDifferentWays() {
    IRDag dag = onPieces().toBuilder().replace(query("below", union("x0"), Set.of())).build();
    assertThatThrownBy(() -> dag.toBuilder().removeEdge("e6").build().apply(EDIT))
        .hasMessageContaining("run in different ways");
  }

  @Test
  void refusesAQueryWhoseKeysFilterASource() {
    KeyFilters keys = new KeyFilters(List.of(new KeyFilter("id", "below", "y0", "id")), 1);
    assertThatThrownBy(() -> onPieces().apply(new SetVertexProperty("read", keys)).apply(EDIT))
        .hasMessageContaining("keys that below has filter read");
  }

  @Test
  void refusesRowsThatSomebodyElseReads() {
    IRDag dag = chain(union("x1")).toBuilder().add(oneToOne("e6", "x1", "write")).build();
    assertThatThrownBy(() -> dag.apply(EDIT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not one edge ONE_TO_ONE");
  }

  @Test
  void refusesAnExchangeThatRowsComeOverFromElsewhere() {
    OperatorVertex other = OperatorVertex.of("other", "other", exchange("x1").operator());
    IRDag dag =
        chain(union("x1")).toBuilder()
            .add(other)
            .add(oneToOne("e6", "read", "other"))
            .add(oneToOne("e7", "other", "above"))
            .build();
    assertThatThrownBy(() -> dag.apply(EDIT))
        .hasMessageContaining("rows of x1 come from other, too");
  }

  @Test
  void refusesQueriesThatReadInputsOfOneName() {
    assertThatThrownBy(() -> chain(union("x1", "x0")).apply(EDIT))
        .hasMessageContaining("they read inputs of one name");
  }

  @Test
  void refusesWhatIsNoExchangeOrNoQuery() {
    assertThatThrownBy(() -> chain(union("x1")).apply(new FuseQueries("write")))
        .hasMessageContaining("it is no exchange");
    assertThatThrownBy(() -> chain(union("x1")).apply(new FuseQueries("x0")))
        .hasMessageContaining("vertex read is a SourceVertex, not a OperatorVertex");
  }
}
