// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.exchange.Exchange;
import dev.anemone.ir.relational.exchange.ExchangeWrite;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ir.relational.exchange.Partitioning;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.passes.Plans;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KnownSizesTest {

  private static final Relation A = input("x0", "a");
  private static final Relation B = input("x1", "b");

  private static Relation input(String exchange, String column) {
    return new Relation.Input(exchange, RowType.of(Field.required(column, SimpleType.INT64)));
  }

  private static OperatorVertex query(String id, Relation relation) {
    return OperatorVertex.of(
        id,
        id,
        RelationalFunctions.partitionsOf(
            new PartitionedQuery(new RelationalQuery(relation), Set.of())));
  }

  private static OperatorVertex exchange(String id, OptionalLong estimated) {
    return OperatorVertex.of(
        id,
        id,
        RelationalFunctions.exchangeOf(
            new ExchangeWrite(
                new Exchange("x2", A.row(), new Partitioning.Spread(), estimated), 4)));
  }

  /** Two sources, one of which is parsed, a query on both, and an exchange of what that gives. */
  private static IRDag plan(
      long secondBytes, OperatorVertex parse, Relation relation, OptionalLong estimated) {
    return IRDag.builder()
        .add(Plans.source("first", Plans.MB, 3))
        .add(Plans.sourceOf("second", Plans.MB, secondBytes))
        .add(parse)
        .add(query("query", relation))
        .add(exchange("exchange", estimated))
        .add(Plans.oneToOne("e1", "first", parse.id()))
        .add(Plans.sideInput("e2", "second", parse.id()))
        .add(Plans.groupByKey("e3", parse.id(), "query"))
        .add(Plans.groupByKey("e4", "second", "query"))
        .add(Plans.oneToOne("e5", "query", "exchange"))
        .build();
  }

  private static OptionalLong size(IRDag dag, String vertex) {
    return KnownSizes.of(dag).output(vertex);
  }

  private static final Relation UNION = new Relation.Union(List.of(A, B));
  private static final Relation JOIN =
      new Relation.Join(
          JoinKind.INNER, A, B, List.of(new Relation.KeyPair("a", "b")), Optional.empty());

  @Test
  void everyVertexHandsOnWhatItIsGiven() {
    IRDag dag = plan(Plans.MB, Plans.operator("parse"), UNION, OptionalLong.empty());
    assertThat(size(dag, "first")).isEqualTo(size(dag, "parse")).hasValue(3 * Plans.MB);
    assertThat(size(dag, "query")).isEqualTo(size(dag, "exchange")).hasValue(5 * Plans.MB);
  }

  @Test
  void nothingIsKnownBehindASourceWithAPartOfUnknownSize() {
    IRDag dag = plan(0, Plans.operator("parse"), UNION, OptionalLong.empty());
    assertThat(size(dag, "second")).isEmpty();
    assertThat(size(dag, "parse")).hasValue(3 * Plans.MB);
    assertThat(size(dag, "query")).isEmpty();
    assertThat(size(dag, "exchange")).isEmpty();
  }

  @Test
  void norBehindWhatDividesWorkAndBehindAJoin() {
    OperatorVertex divides = Plans.operator("parse").withTraits(Set.of(OperatorTrait.DIVIDES_WORK));
    assertThat(size(plan(Plans.MB, divides, UNION, OptionalLong.empty()), "query")).isEmpty();
    assertThat(
            size(plan(Plans.MB, Plans.operator("parse"), JOIN, OptionalLong.empty()), "exchange"))
        .isEmpty();
  }

  @Test
  void whatIsEstimatedOfAnExchangeIsBelieved() {
    IRDag dag = plan(0, Plans.operator("parse"), JOIN, OptionalLong.of(7));
    assertThat(size(dag, "query")).isEmpty();
    assertThat(size(dag, "exchange")).hasValue(7);
  }
}
