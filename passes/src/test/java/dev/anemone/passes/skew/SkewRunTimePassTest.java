// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.message.SizeHistogram;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.OptimizationStep.Outcome;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassException;
import dev.anemone.passes.PassRunner;
import dev.anemone.passes.Plans;
import dev.anemone.passes.policy.DataSkewPolicy;
import dev.anemone.passes.policy.Optimizer;
import dev.anemone.passes.policy.Policy;
import dev.anemone.passes.policy.SamplingLargeShuffleSkewPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SkewRunTimePassTest {

  private static final PassContext CONTEXT =
      PassContext.of(
          4,
          512 * Plans.MB,
          Map.of("parallelism", "4", "keyRangeMultiplier", "4", "measureAllUpTo", "1"));

  private static IRDag skewed(IRDag program, Policy policy, PassContext context) {
    return Optimizer.standard().optimize(policy, program, context).result();
  }

  /** A grouping that cannot be combined: words to groups. */
  private static IRDag grouping() {
    return IRDag.builder()
        .add(Plans.source("words", 20 * Plans.MB, 40))
        .add(Plans.operator("groups"))
        .add(Plans.operator("write"))
        .add(Plans.groupByKey("e1", "words", "groups"))
        .add(Plans.oneToOne("e2", "groups", "write"))
        .build();
  }

  /** Lines are the side that may be divided. */
  private static IRDag join() {
    IRDag dag = Plans.join();
    return dag.toBuilder().replace(dag.edge("e2").with(Divisibility.DIVISIBLE)).build();
  }

  private static OptimizationStep run(IRDag dag, ShuffleSizes message, PassContext context) {
    return PassRunner.standard().runTime(new SkewRunTimePass(), dag, message, context);
  }

  private static long[] even(int partitions, long each) {
    long[] sizes = new long[partitions];
    Arrays.fill(sizes, each);
    return sizes;
  }

  private static long[] withHot(int partitions, long each, int hot, long hotBytes) {
    long[] sizes = even(partitions, each);
    sizes[hot] = hotBytes;
    return sizes;
  }

  private static PartitionSet set(IRDag dag, String edge) {
    return dag.edge(edge).property(PartitionSet.class).orElseThrow();
  }

  private static double[] loads(IRDag dag, ShuffleSizes message, String... edges) {
    double[] sum = null;
    for (int i = 0; i < edges.length; i++) {
      double[] loads = PartitionLoads.of(set(dag, edges[i]), message.shuffles().get(i));
      sum = sum == null ? new double[loads.length] : sum;
      for (int task = 0; task < loads.length; task++) {
        sum[task] += loads[task];
      }
    }
    return sum;
  }

  private static double maxByMean(double[] loads) {
    return Arrays.stream(loads).max().orElseThrow() / Arrays.stream(loads).average().orElseThrow();
  }

  private static Set<String> allVertices(IRDag dag) {
    return dag.vertices().stream().map(IRVertex::id).collect(Collectors.toSet());
  }

  @Test
  void planBeforeAndAfter() {
    IRDag dag = skewed(grouping(), new DataSkewPolicy(), CONTEXT);
    ShuffleSizes message = Messages.of(dag, "groups-sizes", (edge, n) -> withHot(n, 100, 2, 900));
    GoldenPlan.assertMatches("SkewRunTimePass", run(dag, message, CONTEXT));
  }

  @Test
  void largestTaskComesFirstAndOthersAreEven() {
    IRDag dag = skewed(grouping(), new DataSkewPolicy(), CONTEXT);
    ShuffleSizes message = Messages.of(dag, "groups-sizes", (edge, n) -> withHot(n, 100, 2, 900));
    OptimizationStep step = run(dag, message, CONTEXT);
    double factor = message.shuffles().get(0).tasks() / 2.0;
    assertThat(loads(step.after(), message, "e1"))
        .containsExactly(900 * factor, 500 * factor, 500 * factor, 500 * factor);
    assertThat(step.notes())
        .containsExactly(
            "ranges of e1 drawn: the largest task has 1.50 times the mean, with the ranges of"
                + " before 2.00 times, estimated from 2 of 8 producer tasks",
            "partition 2 of e1 holds 38 % of the bytes, 1.50 fair shares, and cannot be divided:"
                + " all values of a key must come together");
  }

  @Test
  void rangesThatAreGoodStay() {
    IRDag dag = skewed(grouping(), new DataSkewPolicy(), CONTEXT);
    ShuffleSizes message = Messages.of(dag, "groups-sizes", (edge, n) -> even(n, 100));
    OptimizationStep step = run(dag, message, CONTEXT);
    assertThat(step.outcome()).isEqualTo(Outcome.UNCHANGED);
    assertThat(step.after()).isSameAs(dag);
    assertThat(step.notes().get(0))
        .startsWith("ranges of e1 stay as they are: the largest task has 1.00");
  }

  @Test
  void nothingMeasuredChangesNothing() {
    PassContext bySize = PassContext.of(4, 512 * Plans.MB, Map.of("measureAllUpTo", "1"));
    IRDag dag = skewed(grouping(), new DataSkewPolicy(), bySize);
    ShuffleSizes message = Messages.of(dag, "groups-sizes", (edge, n) -> even(n, 0));
    OptimizationStep step = run(dag, message, bySize.withResizable(Set.of("groups", "write")));
    assertThat(step.after()).isSameAs(dag);
  }

  @Test
  void theDivisibleSideOfAJoinIsDividedAndTheOtherReplicated() {
    IRDag dag = skewed(join(), new DataSkewPolicy(), CONTEXT);
    ShuffleSizes message =
        Messages.of(
            dag,
            "join-sizes",
            (edge, n) -> edge.equals("e2") ? withHot(n, 100, 5, 3000) : even(n, 10));
    OptimizationStep step = run(dag, message, CONTEXT);
    PartitionSet lines = set(step.after(), "e2");
    PartitionSet orders = set(step.after(), "e1");
    assertThat(lines.perTask()).isEqualTo(orders.perTask());
    assertThat(lines.divisions())
        .singleElement()
        .satisfies(division -> assertThat(division.range()).isEqualTo(new HashRange(5, 6)))
        .satisfies(division -> assertThat(division.replicated()).isFalse());
    assertThat(orders.divisions())
        .containsExactly(new PartitionDivision(5, lines.divisions().get(0).tasks(), true));
    assertThat(maxByMean(loads(dag, message, "e1", "e2"))).isGreaterThan(2);
    assertThat(maxByMean(loads(step.after(), message, "e1", "e2"))).isLessThan(1.1);
    assertThat(step.notes().get(1))
        .contains("partition 5 of e1, e2 holds")
        .contains("is divided among")
        .contains("by what the producers of e2 wrote");
  }

  @Test
  void aSideThatMustStayWholeIsNotDivided() {
    IRDag dag = skewed(join(), new DataSkewPolicy(), CONTEXT);
    ShuffleSizes message =
        Messages.of(
            dag,
            "join-sizes",
            (edge, n) -> edge.equals("e1") ? withHot(n, 100, 5, 3000) : even(n, 10));
    OptimizationStep step = run(dag, message, CONTEXT);
    assertThat(set(step.after(), "e1").divisions()).isEmpty();
    assertThat(set(step.after(), "e2").divisions()).isEmpty();
  }

  @Test
  void equalKeysThatDoNotComeOutEvenAreDividedToo() {
    IRDag dag = skewed(join(), new DataSkewPolicy(), CONTEXT);
    ShuffleSizes message =
        Messages.of(
            dag,
            "join-sizes",
            (edge, n) -> {
              long[] sizes = new long[n];
              Arrays.fill(sizes, 0, edge.equals("e2") ? 5 : 0, 1000);
              return sizes;
            });
    double[] after = loads(run(dag, message, CONTEXT).after(), message, "e1", "e2");
    assertThat(maxByMean(after)).isLessThan(1.25);
  }

  @Test
  void accumulatorsGoOverARecombiner() {
    PassContext context =
        PassContext.of(
            4,
            512 * Plans.MB,
            Map.of(
                "parallelism",
                "4",
                "keyRangeMultiplier",
                "4",
                "targetBytesPerTask",
                "20MB",
                "measureAllUpTo",
                "1"));
    IRDag dag = skewed(Plans.wordCount(20 * Plans.MB, 16), new DataSkewPolicy(), context);
    ShuffleSizes message = Messages.of(dag, "count-sizes", (edge, n) -> withHot(n, 100, 5, 9000));
    OptimizationStep step = run(dag, message, context);
    assertThat(set(step.after(), "e2").partitions()).isEqualTo(16);
    assertThat(set(step.after(), "e2").divisions()).isEmpty();
    assertThat(Arrays.stream(PartitionLoads.of(set(step.after(), "e2"), message.shuffles().get(0))))
        .allSatisfy(load -> assertThat(load).isLessThan(9000.0));
    assertThat(set(step.after(), "e2-divided").divisions())
        .containsExactly(new PartitionDivision(5, List.of(0, 1, 2, 3), false));
    assertThat(set(step.after(), "count-recombined").partitions()).isEqualTo(16);
    assertThat(step.notes())
        .anySatisfy(note -> assertThat(note).contains("divided among 4 tasks of count-recombiner"));
  }

  @Test
  void aRecombinerWithoutWorkGetsOneTask() {
    IRDag dag = skewed(Plans.wordCount(), new DataSkewPolicy(), CONTEXT);
    ShuffleSizes message = Messages.of(dag, "count-sizes", (edge, n) -> even(n, 100));
    IRDag after = run(dag, message, CONTEXT.withResizable(Set.of("count-recombiner"))).after();
    assertThat(after.vertex("count-recombiner").property(Parallelism.class))
        .contains(new Parallelism(1));
    assertThat(set(after, "e2-divided")).isEqualTo(PartitionSet.none(1));
    assertThat(set(after, "e2")).isEqualTo(set(dag, "e2"));
    assertThat(run(dag, message, CONTEXT).after()).isSameAs(dag);
  }

  @Test
  void littleDataGetsFewTasks() {
    PassContext bySize = PassContext.of(4, 512 * Plans.MB, Map.of("measureAllUpTo", "1"));
    IRDag dag = skewed(grouping(), new DataSkewPolicy(), bySize);
    assertThat(DrawnConsumer.tasks(dag.vertex("groups"))).isEqualTo(8);
    ShuffleSizes message = Messages.of(dag, "groups-sizes", (edge, n) -> even(n, 4000));
    double total = message.partitions() * message.estimatedBytes(0);
    int expected = (int) (total / (4 << 20));
    assertThat(expected).isEqualTo(1);
    IRDag after = run(dag, message, bySize.withResizable(Set.of("groups", "write"))).after();
    assertThat(DrawnConsumer.tasks(after.vertex("groups"))).isEqualTo(1);
    assertThat(DrawnConsumer.tasks(after.vertex("write"))).isEqualTo(1);
    assertThat(set(after, "e1").perTask()).hasSize(1);
    assertThat(run(dag, message, bySize).after()).isSameAs(dag);
    assertThat(run(dag, message, bySize.withResizable(Set.of("groups"))).after()).isSameAs(dag);
    PassContext given =
        bySize.withOption("parallelism", "8").withResizable(Set.of("groups", "write"));
    assertThat(run(dag, message, given).after()).isSameAs(dag);
  }

  @Test
  void muchDataGetsNoMoreTasks() {
    PassContext bySize = PassContext.of(4, 512 * Plans.MB, Map.of("measureAllUpTo", "1"));
    IRDag dag = skewed(grouping(), new DataSkewPolicy(), bySize);
    ShuffleSizes message = Messages.of(dag, "groups-sizes", (edge, n) -> even(n, 1L << 40));
    PassContext resizable = bySize.withResizable(Set.of("groups", "write"));
    assertThat(run(dag, message, resizable).after()).isSameAs(dag);
  }

  @Test
  void overARelayTheRangesBehindItAreDrawn() {
    IRDag dag = skewed(join(), new SamplingLargeShuffleSkewPolicy(), CONTEXT);
    assertThat(dag.edge("e1").to()).isNotEqualTo(dag.edge("e2").to());
    ShuffleSizes message =
        Messages.of(
            dag,
            "join-sizes",
            (edge, n) -> edge.equals("e2") ? withHot(n, 100, 5, 3000) : even(n, 10));
    IRDag after = run(dag, message, CONTEXT).after();
    String lines = "e2-" + dag.edge("e2").to();
    String orders = "e1-" + dag.edge("e1").to();
    assertThat(set(after, lines).divisions()).hasSize(1);
    assertThat(set(after, orders).divisions().get(0).replicated()).isTrue();
    assertThat(set(after, "e2")).isEqualTo(set(dag, "e2"));
    assertThat(maxByMean(loads(after, message, orders, lines))).isLessThan(1.1);
  }

  @Test
  void aConsumerThatIsSampledReadsWithItsClone() {
    PassContext context =
        PassContext.of(
            4,
            512 * Plans.MB,
            Map.of("parallelism", "8", "keyRangeMultiplier", "4", "measureAllUpTo", "1"));
    IRDag program =
        IRDag.builder()
            .add(Plans.source("words", 20 * Plans.MB, 40))
            .add(Plans.operator("first"))
            .add(Plans.operator("second"))
            .add(Plans.groupByKey("e1", "words", "first"))
            .add(Plans.groupByKey("e2", "first", "second"))
            .build();
    IRDag dag = skewed(program, new DataSkewPolicy(), context);
    ShuffleSizes message = Messages.of(dag, "first-sizes", (edge, n) -> withHot(n, 100, 2, 900));
    IRDag after =
        run(dag, message, context.withResizable(allVertices(dag)).withOption("maxParallelism", "1"))
            .after();
    assertThat(set(after, "e1")).isNotEqualTo(set(dag, "e1"));
    assertThat(set(after, "e1-sampled")).isEqualTo(set(after, "e1"));
    assertThat(DrawnConsumer.tasks(after.vertex("first"))).isEqualTo(8);
  }

  @Test
  void aMessageThatDoesNotFitIsRefused() {
    IRDag dag = skewed(grouping(), new DataSkewPolicy(), CONTEXT);
    assertThatThrownBy(() -> run(dag, message("other", "e1", 16), CONTEXT))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("nothing in the graph collects message other");
    assertThatThrownBy(() -> run(dag, message("groups-sizes", "e1", 17), CONTEXT))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("has sizes of 17 partitions, but edge e1 has 16");
    assertThatThrownBy(() -> run(dag, message("groups-sizes", "e9", 16), CONTEXT))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("but none of edge e1");
  }

  private static ShuffleSizes message(String id, String edge, int partitions) {
    return new ShuffleSizes(
        id,
        List.of(
            new ShuffleSizes.Shuffle(
                List.of(edge), SizeHistogram.of(id, new long[partitions]), 1, 1)));
  }

  @Test
  void aSamplingOfOnlySomeShufflesIsLeftAlone() {
    IRDag dag = skewed(Plans.join(), new DataSkewPolicy(), CONTEXT);
    IRDag.Builder builder = dag.toBuilder();
    dag.incoming("join-sizes-collection-e2").forEach(edge -> builder.removeEdge(edge.id()));
    dag.outgoing("join-sizes-collection-e2").forEach(edge -> builder.removeEdge(edge.id()));
    IRDag half = builder.removeVertex("join-sizes-collection-e2").build();
    ShuffleSizes message = Messages.of(half, "join-sizes", (edge, n) -> withHot(n, 100, 2, 9000));
    OptimizationStep step = run(half, message, CONTEXT);
    assertThat(step.after()).isSameAs(half);
    assertThat(step.notes())
        .containsExactly(
            "no ranges are drawn by join-sizes: the sizes of [e1] are known, but the stage of join"
                + " reads [e1, e2] by key, and ranges are drawn of all of them together");
  }
}
