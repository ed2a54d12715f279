// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import static dev.anemone.passes.rewrite.JoinPlans.NOTES;
import static dev.anemone.passes.rewrite.JoinPlans.ORDERS;
import static dev.anemone.passes.rewrite.JoinPlans.UNKNOWN;
import static dev.anemone.passes.rewrite.JoinPlans.exchange;
import static dev.anemone.passes.rewrite.JoinPlans.join;
import static dev.anemone.passes.rewrite.JoinPlans.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import dev.anemone.passes.defaults.ParallelismPass;
import dev.anemone.passes.policy.DataSkewPolicy;
import dev.anemone.passes.policy.DefaultPolicy;
import dev.anemone.passes.policy.LargeShufflePolicy;
import dev.anemone.passes.policy.Optimizer;
import dev.anemone.passes.policy.Policy;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasuredBuildSidePassTest {

  private static final PassContext CONTEXT = Plans.CONTEXT.withOption("parallelism", "4");

  private static OptimizationStep step(IRDag dag, PassContext context) {
    return Plans.lastStep(dag, context, new ParallelismPass(), new MeasuredBuildSidePass());
  }

  private static List<String> divisible(IRDag dag) {
    return dag.edges().stream()
        .filter(edge -> edge.property(Divisibility.class).isPresent())
        .map(edge -> edge.id())
        .toList();
  }

  private static boolean isMeasured(IRDag dag) {
    return dag.vertex("join").property(Divisibility.Measured.class).isPresent();
  }

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches("MeasuredBuildSidePass", step(unknown(JoinKind.LEFT), CONTEXT));
  }

  @Test
  void onlyTheSideThatMayComeInPiecesIsDivisible() {
    assertThat(divisible(step(unknown(JoinKind.INNER), CONTEXT).after()))
        .containsExactly("e3", "e4");
    for (JoinKind kind : List.of(JoinKind.LEFT, JoinKind.SEMI, JoinKind.ANTI)) {
      assertThat(divisible(step(unknown(kind), CONTEXT).after()))
          .as(kind.name())
          .containsExactly("e3");
    }
    assertThat(divisible(step(unknown(JoinKind.RIGHT), CONTEXT).after())).containsExactly("e4");
  }

  private static void assertLeft(IRDag dag, PassContext context) {
    OptimizationStep step = step(dag, context);
    assertThat(divisible(step.after())).isEmpty();
    assertThat(isMeasured(step.after())).isFalse();
  }

  @Test
  void whereEqualKeysMustMeetNothingIsMeasured() {
    assertLeft(unknown(JoinKind.FULL), CONTEXT);
    Aggregate whole = Aggregate.complete(List.of("o_key"), List.of(AggregateCall.countRows("n")));
    assertLeft(unknown(Relation.Step.of(whole, join(JoinKind.INNER))), CONTEXT);
    assertThat(
            isMeasured(
                step(unknown(Relation.Step.of(whole.partialHalf(), join(JoinKind.INNER))), CONTEXT)
                    .after()))
        .isTrue();
  }

  @Test
  void theLimitTurnsItOff() {
    assertLeft(unknown(JoinKind.INNER), CONTEXT.withOption("broadcastJoinBytes", "0"));
  }

  @Test
  void oneTaskReadsAllAnyhow() {
    assertLeft(unknown(JoinKind.INNER), Plans.CONTEXT.withOption("parallelism", "1"));
  }

  @Test
  void rangesThatWereGivenStay() {
    IRDag dag = new ParallelismPass().apply(unknown(JoinKind.INNER), CONTEXT);
    assertLeft(
        dag.toBuilder().replace(dag.edge("e3").with(PartitionSet.even(4, 1))).build(), CONTEXT);
  }

  @Test
  void whatSeveralVerticesMakeIsNotDivided() {
    IRDag dag =
        unknown(JoinKind.INNER).toBuilder()
            .add(Plans.source("more", 0, 4))
            .add(exchange("of-more", "x0", ORDERS, UNKNOWN))
            .add(Plans.oneToOne("e6", "more", "of-more"))
            .add(Plans.groupByKey("e7", "of-more", "join"))
            .build();
    assertThat(divisible(step(dag, CONTEXT).after())).containsExactly("e4");
  }

  /** What the same tasks write for both sides lies in one block. */
  @Test
  void sidesOfTheSameTasksAreNotDivided() {
    IRDag dag =
        IRDag.builder()
            .add(Plans.source("orders", 0, 4))
            .add(exchange("of-orders", "x0", ORDERS, UNKNOWN))
            .add(exchange("of-notes", "x1", NOTES, UNKNOWN))
            .add(JoinPlans.query("join", join(JoinKind.INNER)))
            .add(Plans.oneToOne("e1", "orders", "of-orders"))
            .add(Plans.oneToOne("e2", "orders", "of-notes"))
            .add(Plans.groupByKey("e3", "of-orders", "join"))
            .add(Plans.groupByKey("e4", "of-notes", "join"))
            .build();
    assertLeft(dag, CONTEXT);
  }

  @Test
  void whoReadsOtherShufflesByKeyInTheSameTasksKeepsItsRanges() {
    IRDag dag =
        unknown(JoinKind.INNER).toBuilder()
            .add(Plans.source("more", 0, 4))
            .add(Plans.groupByKey("e6", "more", "write"))
            .build();
    assertLeft(dag, CONTEXT);
  }

  @Test
  void policiesThatMixOrSampleShufflesMeasureNoSides() {
    assertThat(isMeasured(optimized(new DefaultPolicy()))).isTrue();
    assertThat(isMeasured(optimized(new LargeShufflePolicy()))).isFalse();
    assertThat(isMeasured(optimized(new DataSkewPolicy()))).isFalse();
  }

  private static IRDag optimized(Policy policy) {
    return Optimizer.standard().optimize(policy, unknown(JoinKind.INNER), CONTEXT).result();
  }
}
