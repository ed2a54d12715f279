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
import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import dev.anemone.passes.policy.DataSkewPolicy;
import dev.anemone.passes.policy.Optimizer;
import dev.anemone.passes.policy.Policy;
import dev.anemone.passes.policy.SamplingLargeShuffleSkewPolicy;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DivisibleSidesPassTest {

  private static final PassContext CONTEXT = Plans.CONTEXT.withOption("parallelism", "4");

  private static OptimizationStep step(IRDag dag) {
    return Plans.lastStep(dag, CONTEXT, new DivisibleSidesPass());
  }

  private static Set<String> divisible(IRDag dag) {
    return dag.edges().stream()
        .filter(
            edge ->
                edge.property(Divisibility.class).orElse(Divisibility.WHOLE)
                    == Divisibility.DIVISIBLE)
        .map(edge -> edge.id())
        .collect(Collectors.toSet());
  }

  private static Set<String> divisible(Relation query) {
    return divisible(step(unknown(query)).after());
  }

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches("DivisibleSidesPass", step(unknown(JoinKind.LEFT)));
  }

  @Test
  void sidesWhoseRowsAJoinKeepsAreDivisible() {
    assertThat(divisible(join(JoinKind.INNER))).containsExactlyInAnyOrder("e3", "e4");
    for (JoinKind kind : List.of(JoinKind.LEFT, JoinKind.SEMI, JoinKind.ANTI)) {
      assertThat(divisible(join(kind))).as(kind.name()).containsExactly("e3");
    }
    assertThat(divisible(join(JoinKind.RIGHT))).containsExactly("e4");
    assertThat(divisible(join(JoinKind.FULL))).isEmpty();
  }

  /** First halves of aggregates are merged behind another shuffle, of shares, too. */
  @Test
  void belowAWholeAggregateNothingIsDivisible() {
    Aggregate whole = Aggregate.complete(List.of("o_key"), List.of(AggregateCall.countRows("n")));
    assertThat(divisible(Relation.Step.of(whole, join(JoinKind.INNER)))).isEmpty();
    assertThat(divisible(Relation.Step.of(whole.partialHalf(), join(JoinKind.INNER)))).isNotEmpty();
  }

  /** Of a side that two vertices make, a share would have to be a share of both. */
  @Test
  void whatSeveralVerticesMakeIsNotDivisible() {
    IRDag dag =
        unknown(JoinKind.INNER).toBuilder()
            .add(Plans.source("more", 0, 4))
            .add(exchange("of-more", "x0", ORDERS, UNKNOWN))
            .add(Plans.oneToOne("e6", "more", "of-more"))
            .add(Plans.groupByKey("e7", "of-more", "join"))
            .build();
    assertThat(divisible(step(dag).after())).containsExactly("e4");
  }

  /** Blocks do not tell apart what the same tasks write for both sides. */
  @Test
  void sidesOfTheSameTasksAreNotDivisible() {
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
    assertThat(divisible(step(dag).after())).isEmpty();
  }

  @Test
  void whoReadsOtherShufflesByKeyInTheSameTasksIsLeftAlone() {
    IRDag dag =
        unknown(JoinKind.INNER).toBuilder()
            .add(Plans.source("more", 0, 4))
            .add(Plans.groupByKey("e6", "more", "write"))
            .build();
    assertThat(divisible(step(dag).after())).isEmpty();
  }

  @Test
  void whatWasDecidedStays() {
    IRDag dag = unknown(JoinKind.INNER);
    IRDag given = dag.toBuilder().replace(dag.edge("e3").with(Divisibility.WHOLE)).build();
    assertThat(divisible(step(given).after())).containsExactly("e4");
  }

  private static IRDag optimized(Policy policy, IRDag dag) {
    return Optimizer.standard().optimize(policy, dag, CONTEXT).result();
  }

  @Test
  void policiesOfSkewSayThatAHotKeyCanBeDivided() {
    for (Policy policy : List.of(new DataSkewPolicy(), new SamplingLargeShuffleSkewPolicy())) {
      assertThat(divisible(optimized(policy, unknown(JoinKind.LEFT))))
          .as(policy.name())
          .isNotEmpty();
      assertThat(divisible(optimized(policy, unknown(JoinKind.FULL)))).as(policy.name()).isEmpty();
    }
  }
}
