// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import static dev.anemone.passes.rewrite.JoinPlans.NOTES;
import static dev.anemone.passes.rewrite.JoinPlans.ORDERS;
import static dev.anemone.passes.rewrite.JoinPlans.UNKNOWN;
import static dev.anemone.passes.rewrite.JoinPlans.exchange;
import static dev.anemone.passes.rewrite.JoinPlans.join;
import static dev.anemone.passes.rewrite.JoinPlans.joined;
import static dev.anemone.passes.rewrite.JoinPlans.query;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.KeyFilters;
import dev.anemone.ir.property.KeyFilters.KeyFilter;
import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import dev.anemone.passes.defaults.ParallelismPass;
import dev.anemone.passes.pushdown.FilterFromBuildSidePass;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BuildSidePassTest {

  private static OptimizationStep step(IRDag dag) {
    return Plans.lastStep(dag, Plans.CONTEXT, new BuildSidePass());
  }

  private static void assertLeft(IRDag dag, String reason) {
    OptimizationStep step = step(dag);
    assertThat(step.after()).isSameAs(step.before());
    assertThat(step.notes()).hasSize(1).first().asString().endsWith(reason);
  }

  private static CommunicationPattern pattern(IRDag dag, String edge) {
    return dag.edge(edge).pattern();
  }

  @Test
  void planBeforeAndAfter() {
    OptimizationStep step = step(joined(JoinKind.LEFT));
    GoldenPlan.assertMatches("BuildSidePass", step);
    assertThat(step.notes())
        .containsExactly(
            "join (join): all of x1 (1.0 MB) goes to the tasks that make x0 (838.9 MB)");
  }

  @Test
  void theSideThatAJoinKeepsIsNotBroadcast() {
    for (JoinKind kind : List.of(JoinKind.INNER, JoinKind.SEMI, JoinKind.ANTI)) {
      assertThat(pattern(step(joined(kind)).after(), "e4"))
          .as(kind.name())
          .isEqualTo(CommunicationPattern.BROADCAST);
    }
    for (JoinKind kind : List.of(JoinKind.RIGHT, JoinKind.FULL)) {
      assertLeft(
          joined(kind),
          "x0 (838.9 MB) and x1 (1.0 MB) are shuffled: on some rows of x0 the query may give others");
    }
  }

  @Test
  void theLeftSideIsBroadcastWhereItIsTheSmallOne() {
    SourceVertex small = Plans.source("orders", Plans.MB, 1);
    SourceVertex large = Plans.source("notes", 100 * Plans.MB, 8);
    IRDag after = step(joined(small, large, join(JoinKind.RIGHT))).after();
    assertThat(pattern(after, "e3")).isEqualTo(CommunicationPattern.BROADCAST);
    assertThat(pattern(after, "e4")).isEqualTo(CommunicationPattern.ONE_TO_ONE);
    assertLeft(
        joined(small, large, join(JoinKind.SEMI)), "on some rows of x1 the query may give others");
  }

  @Test
  void whatNobodyKnowsIsNotSmall() {
    SourceVertex unknown = Plans.source("notes", 0, 4);
    assertLeft(
        joined(Plans.source("orders", 100 * Plans.MB, 8), unknown, join(JoinKind.INNER)),
        "x0 (838.9 MB) and x1 (of unknown size) are shuffled: none is known to have 8.4 MB or"
            + " less");
    IRDag after =
        step(joined(Plans.source("orders", Plans.MB, 2), unknown, join(JoinKind.INNER))).after();
    assertThat(pattern(after, "e3")).isEqualTo(CommunicationPattern.BROADCAST);
    assertThat(pattern(after, "e4")).isEqualTo(CommunicationPattern.ONE_TO_ONE);
  }

  @Test
  void twoSmallSidesAreShuffled() {
    assertLeft(
        joined(
            Plans.source("orders", Plans.MB, 2),
            Plans.source("notes", Plans.MB, 2),
            join(JoinKind.INNER)),
        "x0 (2.1 MB) and x1 (2.1 MB) are shuffled: all are small");
  }

  @Test
  void whatThePlannerHasEstimatedCountsMoreThanWhatSourcesHold() {
    IRDag dag = joined(JoinKind.INNER);
    assertLeft(
        dag.toBuilder()
            .replace(exchange("of-notes", "x1", NOTES, OptionalLong.of(100 * Plans.MB)))
            .build(),
        "none is known to have 8.4 MB or less");
    IRDag estimated =
        joined(
                Plans.source("orders", 100 * Plans.MB, 8),
                Plans.source("notes", 100 * Plans.MB, 8),
                join(JoinKind.INNER))
            .toBuilder()
            .replace(exchange("of-notes", "x1", NOTES, OptionalLong.of(Plans.MB)))
            .build();
    assertThat(pattern(step(estimated).after(), "e4")).isEqualTo(CommunicationPattern.BROADCAST);
  }

  @Test
  void theLimitIsAnOption() {
    IRDag dag = joined(JoinKind.INNER);
    for (String less : List.of("1000000", "0")) {
      PassContext context = Plans.CONTEXT.withOption("broadcastJoinBytes", less);
      OptimizationStep step = Plans.lastStep(dag, context, new BuildSidePass());
      assertThat(step.after()).isSameAs(step.before());
    }
    assertThat(new BuildSidePass().notes(dag, Plans.CONTEXT.withOption("broadcastJoinBytes", "0")))
        .isEmpty();
    assertThat(
            pattern(
                Plans.lastStep(
                        dag,
                        Plans.CONTEXT.withOption("broadcastJoinBytes", "1MB"),
                        new BuildSidePass())
                    .after(),
                "e4"))
        .isEqualTo(CommunicationPattern.BROADCAST);
  }

  /** Orders joined with notes, of which there are few, and what comes above that. */
  private static IRDag joinedBelow(RelationalOperator above) {
    return joined(
        Plans.source("orders", 100 * Plans.MB, 8),
        Plans.source("notes", Plans.MB, 1),
        Relation.Step.of(above, join(JoinKind.INNER)));
  }

  private static Aggregate by(String key, AggregateCall call) {
    return Aggregate.complete(List.of(key), List.of(call));
  }

  @Test
  void aWholeAggregateAboveTheJoinIsDoneInHalves() {
    GoldenPlan.assertMatches(
        "BuildSidePass-halves", step(joinedBelow(by("o_key", AggregateCall.countRows("n")))));
  }

  @Test
  void theFirstHalfOfAnAggregateIsWhereTheJoinIs() {
    IRDag after =
        step(joinedBelow(by("o_key", AggregateCall.countRows("n")).partialHalf())).after();
    assertThat(pattern(after, "e4")).isEqualTo(CommunicationPattern.BROADCAST);
    assertThat(after.vertices()).hasSize(6);
  }

  @Test
  void anAggregateWithoutHalvesKeepsItsPartitions() {
    assertLeft(
        joinedBelow(by("o_key", AggregateCall.of("v", AggregateFunction.SINGLE_VALUE, "n_order"))),
        "on some rows of x0 the query may give others");
  }

  @Test
  void whatFewTasksMakeIsShuffledToMore() {
    assertLeft(
        joined(
            Plans.source("orders", 100 * Plans.MB, 1),
            Plans.source("notes", Plans.MB, 1),
            join(JoinKind.INNER)),
        "few tasks make x0");
    IRDag little =
        joined(
            Plans.source("orders", 6 * Plans.MB, 1),
            Plans.source("notes", Plans.MB, 1),
            join(JoinKind.INNER));
    PassContext context = Plans.CONTEXT.withOption("broadcastJoinBytes", "2MB");
    assertThat(new BuildSidePass().apply(little, context)).isSameAs(little);
    assertThat(new BuildSidePass().notes(little, context))
        .first()
        .asString()
        .endsWith("one task needs no shuffle");
    PassContext kept = context.withOption("keepExchanges", "true");
    assertThat(pattern(new BuildSidePass().apply(little, kept), "e4"))
        .isEqualTo(CommunicationPattern.BROADCAST);
    PassContext many = kept.withOption("parallelism", "2");
    assertThat(new BuildSidePass().apply(little, many)).isSameAs(little);
  }

  @Test
  void nothingWaitsForItself() {
    IRDag dag =
        IRDag.builder()
            .add(Plans.source("orders", 100 * Plans.MB, 8))
            .add(exchange("of-orders", "x0", ORDERS, UNKNOWN))
            .add(exchange("of-notes", "x1", NOTES, OptionalLong.of(Plans.MB)))
            .add(query("join", join(JoinKind.INNER)))
            .add(Plans.oneToOne("e1", "orders", "of-orders"))
            .add(Plans.oneToOne("e2", "orders", "of-notes"))
            .add(Plans.groupByKey("e3", "of-orders", "join"))
            .add(Plans.groupByKey("e4", "of-notes", "join"))
            .build();
    assertLeft(dag, "the tasks that make x0 would wait for themselves");
  }

  @Test
  void whatOthersReadOrSampleStaysShuffled() {
    IRDag dag = joined(JoinKind.INNER);
    assertLeft(
        dag.toBuilder().add(Plans.groupByKey("e6", "of-notes", "write")).build(),
        "others read or sample what is shuffled");
    IRDag sampled =
        new ParallelismPass()
            .apply(dag, Plans.CONTEXT)
            .apply(InsertSampling.of("e3", Set.of("orders", "of-orders"), List.of(0), "m", "test"));
    assertThat(new BuildSidePass().apply(sampled, Plans.CONTEXT)).isSameAs(sampled);
  }

  @Test
  void severalVerticesThatMakeTheLargeSideKeepTheirShuffle() {
    assertLeft(
        joined(JoinKind.INNER).toBuilder()
            .add(Plans.source("more", Plans.MB, 8))
            .add(exchange("of-more", "x0", ORDERS, UNKNOWN))
            .add(Plans.oneToOne("e6", "more", "of-more"))
            .add(Plans.groupByKey("e7", "of-more", "join"))
            .build(),
        "several vertices make x0");
  }

  @Test
  void joinsOneAfterTheOtherBecomeOneQuery() {
    IRDag dag = twoJoins();
    IRDag after =
        Plans.lastStep(
                dag,
                Plans.CONTEXT,
                new BuildSidePass(),
                new ParallelismPass(),
                new ExchangeEliminationPass(),
                new ColumnarFusionPass(),
                new FilterFromBuildSidePass())
            .after();
    assertThat(after.hasVertex("join")).isFalse();
    OperatorVertex both = (OperatorVertex) after.vertex("again");
    assertThat(RelationalFunctions.piecedOf(both.operator()))
        .hasValueSatisfying(
            pieced -> {
              assertThat(pieced.pieces()).isEqualTo("x0");
              assertThat(pieced.query().line())
                  .isEqualTo(
                      "inner join by o_key = m_order {inner join by o_key = n_order {x0; x1}; x3}");
            });
    assertThat(pattern(after, "e3")).isEqualTo(CommunicationPattern.ONE_TO_ONE);
    assertThat(after.edge("e3").to()).isEqualTo("again");
    assertThat(after.edge("e4").input()).isEqualTo("x1");
    assertThat(after.edge("e8").input()).isEqualTo("x3");
    assertThat(after.vertex("orders").property(KeyFilters.class))
        .contains(
            new KeyFilters(
                List.of(
                    new KeyFilter("o_key", "again", "x1", "n_order"),
                    new KeyFilter("o_key", "again", "x3", "m_order")),
                1_000));
  }

  /** Orders joined with notes, and that with marks. */
  private static IRDag twoJoins() {
    RowType marks = RowType.of(Field.required("m_order", SimpleType.INT64));
    RowType joined = join(JoinKind.INNER).row();
    Relation again =
        new Relation.Join(
            JoinKind.INNER,
            new Relation.Input("x2", joined),
            new Relation.Input("x3", marks),
            List.of(new Relation.KeyPair("o_key", "m_order")),
            Optional.empty());
    return joined(JoinKind.INNER).toBuilder()
        .add(exchange("of-join", "x2", joined, UNKNOWN))
        .add(Plans.source("marks", Plans.MB, 1))
        .add(exchange("of-marks", "x3", marks, UNKNOWN))
        .add(query("again", again))
        .removeEdge("e5")
        .add(Plans.oneToOne("e5", "again", "write"))
        .add(Plans.oneToOne("e6", "join", "of-join"))
        .add(Plans.oneToOne("e7", "marks", "of-marks"))
        .add(Plans.groupByKey("e8", "of-marks", "again"))
        .add(Plans.groupByKey("e9", "of-join", "again"))
        .build();
  }
}
