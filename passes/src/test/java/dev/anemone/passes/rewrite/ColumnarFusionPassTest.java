// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator;
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
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import dev.anemone.passes.defaults.ParallelismPass;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ColumnarFusionPassTest {

  private static final RowType ORDERS = RowType.of(Field.required("o_key", SimpleType.INT64));
  private static final RowType LINES = RowType.of(Field.required("l_order", SimpleType.INT64));
  private static final Relation JOIN =
      new Relation.Join(
          JoinKind.INNER,
          new Relation.Input("x0", ORDERS),
          new Relation.Input("x1", LINES),
          List.of(new Relation.KeyPair("o_key", "l_order")),
          Optional.empty());

  private static OperatorVertex query(String id, Relation relation) {
    return OperatorVertex.of(
        id,
        id,
        RelationalFunctions.partitionsOf(
            new PartitionedQuery(new RelationalQuery(relation), Set.of())));
  }

  private static OperatorVertex exchange(String id, String name, RowType row) {
    return OperatorVertex.of(
        id,
        id,
        RelationalFunctions.exchangeOf(
            new ExchangeWrite(
                new Exchange(name, row, new Partitioning.Hash(List.of(row.fields().get(0).name()))),
                4)));
  }

  private static Relation count(String exchange) {
    return Relation.Step.of(
        RelationalOperator.Aggregate.complete(
            List.of("o_key"), List.of(AggregateCall.countRows("n"))),
        new Relation.Input(exchange, JOIN.row()));
  }

  /** Counts of a join of two tables, each of which is one part of so many bytes. */
  private static IRDag joined(long bytes, int parts) {
    return IRDag.builder()
        .add(Plans.source("orders", bytes, parts))
        .add(exchange("of-orders", "x0", ORDERS))
        .add(Plans.source("lines", bytes, parts))
        .add(exchange("of-lines", "x1", LINES))
        .add(query("join", JOIN))
        .add(exchange("of-join", "x2", JOIN.row()))
        .add(query("count", count("x2")))
        .add(Plans.operator("write"))
        .add(Plans.oneToOne("e1", "orders", "of-orders"))
        .add(Plans.oneToOne("e2", "lines", "of-lines"))
        .add(Plans.groupByKey("e3", "of-orders", "join"))
        .add(Plans.groupByKey("e4", "of-lines", "join"))
        .add(Plans.oneToOne("e5", "join", "of-join"))
        .add(Plans.groupByKey("e6", "of-join", "count"))
        .add(Plans.oneToOne("e7", "count", "write"))
        .build();
  }

  private static OptimizationStep step(IRDag dag, PassContext context) {
    return Plans.lastStep(
        dag,
        context,
        new ParallelismPass(),
        new ExchangeEliminationPass(),
        new ColumnarFusionPass());
  }

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches("ColumnarFusionPass", step(joined(Plans.MB, 1), Plans.CONTEXT));
  }

  @Test
  void leavesQueriesWithAShuffleBetweenThem() {
    OptimizationStep step = step(joined(40 * Plans.MB, 8), Plans.CONTEXT);
    assertThat(step.after()).isSameAs(step.before());
  }

  @Test
  void leavesAQueryWhoseRowsSomebodyElseReads() {
    IRDag dag =
        joined(Plans.MB, 1).toBuilder()
            .add(Plans.operator("other"))
            .add(Plans.oneToOne("e8", "of-join", "other"))
            .build();
    OptimizationStep step = step(dag, Plans.CONTEXT);
    assertThat(step.after()).isSameAs(step.before());
  }

  @Test
  void leavesAnExchangeThatRowsOfSeveralQueriesGoOver() {
    IRDag dag =
        joined(Plans.MB, 1).toBuilder()
            .add(Plans.source("more", Plans.MB, 1))
            .add(exchange("of-more", "x2", JOIN.row()))
            .add(Plans.oneToOne("e8", "more", "of-more"))
            .add(Plans.groupByKey("e9", "of-more", "count"))
            .build();
    OptimizationStep step = step(dag, Plans.CONTEXT);
    assertThat(step.after()).isSameAs(step.before());
  }

  @Test
  void leavesAllWhereQueriesAreToBeKept() {
    OptimizationStep step =
        step(joined(Plans.MB, 1), PassContext.of(2, 512 * Plans.MB, Map.of("keepQueries", "true")));
    assertThat(step.after()).isSameAs(step.before());
  }
}
