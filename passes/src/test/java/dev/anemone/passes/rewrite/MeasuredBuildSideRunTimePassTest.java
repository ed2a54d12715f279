// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import static dev.anemone.passes.rewrite.JoinPlans.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.message.SizeHistogram;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassRunner;
import dev.anemone.passes.Plans;
import dev.anemone.passes.policy.DefaultPolicy;
import dev.anemone.passes.policy.Optimizer;
import dev.anemone.passes.skew.CoalescingRunTimePass;
import dev.anemone.passes.skew.SkewRunTimePass;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MeasuredBuildSideRunTimePassTest {

  private static final String MESSAGE = "join-bytes";
  private static final int TASKS = 4;
  private static final PassContext CONTEXT =
      Plans.CONTEXT.withOption("parallelism", String.valueOf(TASKS));

  private static IRDag optimized(JoinKind kind) {
    return optimized(kind, CONTEXT);
  }

  private static IRDag optimized(JoinKind kind, PassContext context) {
    return Optimizer.standard().optimize(new DefaultPolicy(), unknown(kind), context).result();
  }

  private static OptimizationStep run(IRDag dag, ShuffleSizes message, PassContext context) {
    return PassRunner.standard().runTime(new MeasuredBuildSideRunTimePass(), dag, message, context);
  }

  /** Equally many bytes in each partition. */
  private static ShuffleSizes.Shuffle even(IRDag dag, String edge, long bytes, int makers) {
    long[] sizes = new long[set(dag, edge).partitions()];
    Arrays.fill(sizes, bytes / sizes.length);
    return shuffle(edge, makers, sizes);
  }

  private static ShuffleSizes.Shuffle shuffle(String edge, int makers, long... sizes) {
    return new ShuffleSizes.Shuffle(
        List.of(edge), SizeHistogram.of(MESSAGE, sizes), makers, makers);
  }

  private static ShuffleSizes message(ShuffleSizes.Shuffle... shuffles) {
    return new ShuffleSizes(MESSAGE, List.of(shuffles));
  }

  private static PartitionSet set(IRDag dag, String edge) {
    return dag.edge(edge).property(PartitionSet.class).orElseThrow();
  }

  private static ShuffleSizes sizes(IRDag dag, long orders, long notes) {
    return message(even(dag, "e3", orders, TASKS), even(dag, "e4", notes, TASKS));
  }

  @Test
  void planBeforeAndAfter() {
    IRDag dag = optimized(JoinKind.LEFT);
    OptimizationStep step = run(dag, sizes(dag, 300_000_000, 1_000_000), CONTEXT);
    GoldenPlan.assertMatches("MeasuredBuildSideRunTimePass", step);
    assertThat(step.notes())
        .containsExactly(
            "join (join): each of 4 tasks reads all of x1 (1.0 MB), and x0 (300.0 MB) from the"
                + " tasks that made it");
  }

  @Test
  void oneSideIsDividedAndTheOtherReadWhole() {
    IRDag dag = optimized(JoinKind.INNER);
    IRDag after = run(dag, sizes(dag, 1_000_000, 300_000_000), CONTEXT).after();
    HashRange all = new HashRange(0, set(dag, "e3").partitions());
    List<Integer> tasks = List.of(0, 1, 2, 3);
    assertThat(set(after, "e3").perTask()).hasSize(TASKS).containsOnly(List.of(all));
    assertThat(set(after, "e3").divisions())
        .containsExactly(new PartitionDivision(all, tasks, true));
    assertThat(set(after, "e4").perTask()).isEqualTo(set(after, "e3").perTask());
    assertThat(set(after, "e4").divisions())
        .containsExactly(new PartitionDivision(all, tasks, false));
  }

  private static void assertLeft(IRDag dag, ShuffleSizes message, String reason) {
    OptimizationStep step = run(dag, message, CONTEXT);
    assertThat(step.after()).isSameAs(dag);
    assertThat(step.notes()).hasSize(1).first().asString().endsWith(reason);
  }

  @Test
  void sidesThatAreAllSmallOrAllLargeStayPartitioned() {
    IRDag dag = optimized(JoinKind.INNER);
    assertLeft(
        dag,
        sizes(dag, 2_000_000, 1_000_000),
        "x0 (2.0 MB) and x1 (1.0 MB) stay partitioned: all are small");
    assertLeft(dag, sizes(dag, 200_000_000, 100_000_000), "more than one has more than 8.4 MB");
  }

  @Test
  void theSideThatAJoinKeepsCannotBeTheOneBeside() {
    IRDag dag = optimized(JoinKind.LEFT);
    assertLeft(dag, sizes(dag, 1_000_000, 300_000_000), "x1 cannot be divided");
  }

  @Test
  void readingTheSmallSideInEachTaskIsToPayForItself() {
    IRDag dag = optimized(JoinKind.INNER);
    assertLeft(dag, sizes(dag, 20_000_000, 6_000_000), "the others are not worth reading 4 times");
  }

  @Test
  void whatFewTasksMakeStaysPartitioned() {
    IRDag dag = optimized(JoinKind.INNER);
    assertLeft(
        dag,
        message(even(dag, "e3", 300_000_000, 3), even(dag, "e4", 1_000_000, TASKS)),
        "stay partitioned: 3 tasks make x0");
  }

  @Test
  void sharesAreAsEvenAsTheRangesOrAreNotMade() {
    IRDag dag = optimized(JoinKind.INNER);
    ShuffleSizes.Shuffle notes = even(dag, "e4", 1_000_000, TASKS);
    assertLeft(
        dag,
        message(even(dag, "e3", 300_000_000, 5), notes),
        "5 tasks make x0, so shares are uneven");
    // Of a hot key one task would have almost all.
    long[] hot = new long[set(dag, "e3").partitions()];
    hot[1] = 300_000_000;
    OptimizationStep step = run(dag, message(shuffle("e3", 5, hot), notes), CONTEXT);
    assertThat(set(step.after(), "e3").divisions()).hasSize(1);
  }

  @Test
  void sidesThatWereMeasuredTogetherStayPartitioned() {
    IRDag dag = optimized(JoinKind.INNER);
    long[] sizes = new long[set(dag, "e3").partitions()];
    ShuffleSizes both =
        message(
            new ShuffleSizes.Shuffle(
                List.of("e3", "e4"), SizeHistogram.of(MESSAGE, sizes), TASKS, TASKS));
    assertThat(run(dag, both, CONTEXT).after()).isSameAs(dag);
  }

  @Test
  void otherMessagesAreForOtherPasses() {
    IRDag dag = optimized(JoinKind.INNER);
    ShuffleSizes own = sizes(dag, 300_000_000, 1_000_000);
    OptimizationStep skew = PassRunner.standard().runTime(new SkewRunTimePass(), dag, own, CONTEXT);
    assertThat(skew.after()).isSameAs(dag);
    assertThat(skew.notes()).isEmpty();
    ShuffleSizes other = new ShuffleSizes("other", own.shuffles());
    assertThat(run(dag, other, CONTEXT).after()).isSameAs(dag);
    assertThat(run(dag, other, CONTEXT).notes()).isEmpty();
  }

  /** Both passes take the message of a stage that may lose tasks. */
  @Test
  void aStageThatHasLostTasksIsDividedAmongTheOthers() {
    PassContext many =
        PassContext.of(
            4,
            512 * Plans.MB,
            Map.of("targetBytesPerShuffleTask", "1MB", "minBytesPerShuffleTask", "6MB"));
    IRDag dag =
        Optimizer.standard()
            .optimize(
                new DefaultPolicy(),
                JoinPlans.joined(
                    Plans.source("orders", 20 * Plans.MB, 8),
                    Plans.source("notes", 20 * Plans.MB, 8),
                    JoinPlans.join(JoinKind.INNER)),
                many)
            .result();
    PassContext context =
        many.withResizable(dag.vertices().stream().map(IRVertex::id).collect(Collectors.toSet()));
    assertThat(tasks(dag)).isGreaterThan(TASKS);
    ShuffleSizes message = message(even(dag, "e3", 25_000_000, 8), even(dag, "e4", 1_000_000, 8));
    IRDag coalesced =
        PassRunner.standard().runTime(new CoalescingRunTimePass(), dag, message, context).after();
    assertThat(tasks(coalesced)).isEqualTo(TASKS);
    IRDag after = run(coalesced, message, context).after();
    assertThat(set(after, "e3").divisions().get(0).tasks()).hasSize(TASKS);
    assertThat(set(after, "e3").perTask()).hasSize(TASKS);
    assertThat(Set.copyOf(set(after, "e3").perTask())).hasSize(1);
  }

  @Test
  void aStageThatMayLoseTasksGetsEvenShares() {
    PassContext many =
        PassContext.of(2, 512 * Plans.MB, Map.of("targetBytesPerShuffleTask", "1MB"));
    IRDag dag =
        Optimizer.standard()
            .optimize(
                new DefaultPolicy(),
                JoinPlans.joined(
                    Plans.source("orders", 20 * Plans.MB, 8),
                    Plans.source("notes", 20 * Plans.MB, 8),
                    JoinPlans.join(JoinKind.INNER)),
                many)
            .result();
    int before = tasks(dag);
    ShuffleSizes message =
        message(even(dag, "e3", 300_000_000, before - 1), even(dag, "e4", 1_000_000, 8));
    assertThat(run(dag, message, many).notes()).first().asString().endsWith("tasks make x0");
    PassContext context =
        many.withResizable(dag.vertices().stream().map(IRVertex::id).collect(Collectors.toSet()));
    IRDag after = run(dag, message, context).after();
    assertThat(tasks(after)).isEqualTo(before - 1);
    assertThat(after.vertex("write").property(Parallelism.class))
        .contains(new Parallelism(before - 1));
    assertThat(set(after, "e3").perTask()).hasSize(before - 1);
  }

  private static int tasks(IRDag dag) {
    return dag.vertex("join").property(Parallelism.class).orElseThrow().tasks();
  }
}
