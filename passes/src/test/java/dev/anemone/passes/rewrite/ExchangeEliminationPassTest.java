// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
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

class ExchangeEliminationPassTest {

  private static final Relation.Input ORDERS =
      new Relation.Input("x0", RowType.of(Field.required("o_key", SimpleType.INT64)));
  private static final Relation.Input LINES =
      new Relation.Input("x1", RowType.of(Field.required("l_order", SimpleType.INT64)));

  private static OperatorVertex query(String id, Relation relation) {
    return OperatorVertex.of(
        id,
        id,
        RelationalFunctions.partitionsOf(
            new PartitionedQuery(new RelationalQuery(relation), Set.of())));
  }

  /** Counts of a join of two tables, each of which is one part of so many bytes. */
  private static IRDag joined(long bytes, int parts) {
    Relation join =
        new Relation.Join(
            JoinKind.INNER,
            ORDERS,
            LINES,
            List.of(new Relation.KeyPair("o_key", "l_order")),
            Optional.empty());
    Relation count =
        Relation.Step.of(
            RelationalOperator.Aggregate.complete(
                List.of("o_key"), List.of(AggregateCall.countRows("n"))),
            new Relation.Input("x2", join.row()));
    return IRDag.builder()
        .add(Plans.source("orders", bytes, parts))
        .add(Plans.source("lines", bytes, parts))
        .add(query("join", join))
        .add(query("count", count))
        .add(Plans.operator("write"))
        .add(Plans.groupByKey("e1", "orders", "join"))
        .add(Plans.groupByKey("e2", "lines", "join"))
        .add(Plans.groupByKey("e3", "join", "count"))
        .add(Plans.oneToOne("e4", "count", "write"))
        .build();
  }

  private static OptimizationStep step(IRDag dag, PassContext context) {
    return Plans.lastStep(dag, context, new ParallelismPass(), new ExchangeEliminationPass());
  }

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches("ExchangeEliminationPass", step(joined(Plans.MB, 1), Plans.CONTEXT));
  }

  @Test
  void leavesShufflesBetweenSeveralTasks() {
    OptimizationStep step = step(joined(40 * Plans.MB, 8), Plans.CONTEXT);
    assertThat(step.after()).isSameAs(step.before());
  }

  @Test
  void leavesAShuffleFromSeveralTasksIntoOne() {
    IRDag dag =
        joined(Plans.MB, 1).toBuilder()
            .add(Plans.source("more", 0, 2))
            .add(Plans.groupByKey("e5", "more", "join"))
            .build();
    IRDag after = step(dag, PassContext.of(2, 512 * Plans.MB, Map.of())).after();
    assertThat(after.edge("e1").pattern()).isEqualTo(CommunicationPattern.SHUFFLE);
    assertThat(after.edge("e2").pattern()).isEqualTo(CommunicationPattern.SHUFFLE);
  }

  @Test
  void leavesWhatGroupsInAnotherWay() {
    IRDag dag = Plans.wordCount(Plans.MB, 1);
    OptimizationStep step = step(dag, Plans.CONTEXT);
    assertThat(step.after()).isSameAs(step.before());
  }

  @Test
  void leavesAllWhereExchangesAreToBeKept() {
    OptimizationStep step =
        step(
            joined(Plans.MB, 1),
            PassContext.of(2, 512 * Plans.MB, Map.of("keepExchanges", "true")));
    assertThat(step.after()).isSameAs(step.before());
  }

  @Test
  void leavesWhatIsSampledMeasuredOrRelayed() {
    IRDag before =
        new ParallelismPass()
            .apply(
                joined(Plans.MB, 1)
                    .apply(new InsertRelay(List.of("e1", "e2"), "relay", "test"))
                    .apply(InsertSampling.of("e3", Set.of("join"), List.of(0), "m", "test")),
                Plans.CONTEXT);
    assertThat(new ExchangeEliminationPass().apply(before, Plans.CONTEXT)).isSameAs(before);
  }
}
