// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.message.SizeHistogram;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.testing.ArbitraryDags;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassRunner;
import dev.anemone.passes.Plans;
import dev.anemone.passes.graph.RelayChain;
import dev.anemone.passes.policy.DefaultPolicy;
import dev.anemone.passes.policy.LargeShufflePolicy;
import dev.anemone.passes.policy.Optimizer;
import dev.anemone.passes.policy.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import org.junit.jupiter.api.Test;

class CoalescingRunTimePassTest {

  /** Word counts and joins have eight tasks behind their shuffles. */
  private static final PassContext CONTEXT =
      PassContext.of(4, 512 * Plans.MB, Map.of("targetBytesPerShuffleTask", "1MB"));

  private static int coalesced;

  private static IRDag optimized(IRDag program, Policy policy, PassContext context) {
    return Optimizer.standard().optimize(policy, program, context).result();
  }

  private static Set<String> ids(IRDag dag) {
    return dag.vertices().stream().map(IRVertex::id).collect(Collectors.toSet());
  }

  private static OptimizationStep run(IRDag dag, ShuffleSizes message) {
    return run(dag, message, CONTEXT.withResizable(ids(dag)));
  }

  private static OptimizationStep run(IRDag dag, ShuffleSizes message, PassContext context) {
    return PassRunner.standard().runTime(new CoalescingRunTimePass(), dag, message, context);
  }

  private static ShuffleSizes message(String id, List<String> edges, long... bytes) {
    return new ShuffleSizes(
        id,
        edges.stream()
            .map(edge -> new ShuffleSizes.Shuffle(List.of(edge), SizeHistogram.of(id, bytes), 1, 1))
            .toList());
  }

  private static int tasks(IRDag dag, String vertex) {
    return dag.vertex(vertex).property(Parallelism.class).orElseThrow().tasks();
  }

  private static PartitionSet set(IRDag dag, String edge) {
    return dag.edge(edge).property(PartitionSet.class).orElseThrow();
  }

  private static long[] each(long bytes) {
    long[] sizes = new long[8];
    Arrays.fill(sizes, bytes);
    return sizes;
  }

  @Test
  void planBeforeAndAfter() {
    IRDag dag = optimized(Plans.wordCount(), new DefaultPolicy(), CONTEXT);
    GoldenPlan.assertMatches(
        "CoalescingRunTimePass", run(dag, message("count-bytes", List.of("e2"), each(300 * 1024))));
  }

  @Test
  void neighboursAreGivenToOneTask() {
    IRDag dag = optimized(Plans.wordCount(), new DefaultPolicy(), CONTEXT);
    OptimizationStep step =
        run(
            dag,
            message("count-bytes", List.of("e2"), 1 << 20, 512 << 10, 0, 0, 0, 0, 0, 512 << 10));
    assertThat(set(step.after(), "e2").perTask())
        .containsExactlyInAnyOrder(List.of(new HashRange(0, 1)), List.of(new HashRange(1, 8)));
    assertThat(tasks(step.after(), "count")).isEqualTo(2);
    assertThat(tasks(step.after(), "write")).isEqualTo(2);
    assertThat(step.notes()).containsExactly("8 tasks of count become 2: they read 2.00 MiB");
  }

  @Test
  void nothingAtAllIsForOneTask() {
    IRDag dag = optimized(Plans.wordCount(), new DefaultPolicy(), CONTEXT);
    IRDag after = run(dag, message("count-bytes", List.of("e2"), each(0))).after();
    assertThat(set(after, "e2").perTask()).containsExactly(List.of(new HashRange(0, 8)));
  }

  @Test
  void tasksThatReadEnoughStay() {
    IRDag dag = optimized(Plans.wordCount(), new DefaultPolicy(), CONTEXT);
    assertThat(run(dag, message("count-bytes", List.of("e2"), each(1 << 20))).after())
        .isSameAs(dag);
  }

  @Test
  void moreTasksThanSlotsAreFullRounds() {
    IRDag dag = optimized(Plans.wordCount(), new DefaultPolicy(), CONTEXT);
    // Five megabytes would be five tasks, one more than there are slots.
    assertThat(run(dag, message("count-bytes", List.of("e2"), each(640 << 10))).after())
        .isSameAs(dag);
  }

  @Test
  void theOptionSaysWhatIsEnough() {
    IRDag dag = optimized(Plans.wordCount(), new DefaultPolicy(), CONTEXT);
    PassContext context =
        CONTEXT.withResizable(ids(dag)).withOption("minBytesPerShuffleTask", "1KB");
    ShuffleSizes message = message("count-bytes", List.of("e2"), each(256));
    assertThat(tasks(run(dag, message, context).after(), "count")).isEqualTo(2);
  }

  @Test
  void bothShufflesOfAJoinGetTheSameRanges() {
    IRDag dag = optimized(Plans.join(), new DefaultPolicy(), CONTEXT);
    IRDag after =
        run(dag, message("join-bytes", List.of("e1", "e2"), 1 << 20, 0, 0, 0, 0, 0, 0, 1 << 19))
            .after();
    assertThat(tasks(after, "join")).isEqualTo(3);
    assertThat(set(after, "e1")).isEqualTo(set(after, "e2"));
  }

  @Test
  void aStageThatCannotLoseTasksKeepsThem() {
    IRDag dag = optimized(Plans.wordCount(), new DefaultPolicy(), CONTEXT);
    ShuffleSizes message = message("count-bytes", List.of("e2"), each(0));
    assertThat(run(dag, message, CONTEXT.withResizable(Set.of("count"))).after()).isSameAs(dag);
  }

  @Test
  void aMessageForAnotherPassIsLeftToIt() {
    IRDag dag = optimized(Plans.wordCount(), new DefaultPolicy(), CONTEXT);
    ShuffleSizes other = message("other", List.of("e2"), each(0));
    assertThat(run(dag, other).after()).isSameAs(dag);
    ShuffleSizes own = message("count-bytes", List.of("e2"), each(0));
    OptimizationStep skew =
        PassRunner.standard()
            .runTime(new SkewRunTimePass(), dag, own, CONTEXT.withResizable(ids(dag)));
    assertThat(skew.after()).isSameAs(dag);
    assertThat(skew.notes()).isEmpty();
  }

  @Provide
  Arbitrary<IRDag> programs() {
    return ArbitraryDags.fromFrontEnd();
  }

  @Provide
  Arbitrary<Policy> policies() {
    return Arbitraries.of(new DefaultPolicy(), new LargeShufflePolicy());
  }

  @Property(tries = 80, edgeCases = EdgeCasesMode.NONE)
  void anyMessageBreaksNoRule(
      @ForAll("programs") IRDag program, @ForAll("policies") Policy policy, @ForAll Random random) {
    PassContext context =
        PassContext.of(
            3, 1L << 20, Map.of("targetBytesPerShuffleTask", "1", "targetBytesPerTask", "1"));
    IRDag dag = optimized(program, policy, context);
    Set<String> messages = new LinkedHashSet<>();
    dag.vertices()
        .forEach(
            vertex ->
                vertex
                    .property(Parallelism.Coalescing.class)
                    .ifPresent(mark -> messages.add(mark.messageId())));
    for (String id : messages) {
      dag = run(dag, anySizes(dag, id, random), context.withResizable(ids(dag))).after();
    }
  }

  private static ShuffleSizes anySizes(IRDag dag, String messageId, Random random) {
    List<ShuffleSizes.Shuffle> shuffles = new ArrayList<>();
    int tasks = 0;
    for (IRVertex vertex : dag.vertices()) {
      if (vertex
          .property(Parallelism.Coalescing.class)
          .map(Parallelism.Coalescing::messageId)
          .filter(messageId::equals)
          .isPresent()) {
        tasks = tasks(dag, vertex.id());
        for (IREdge edge : dag.incoming(vertex.id())) {
          if (KeyedConsumer.isByKey(edge)) {
            IREdge written = RelayChain.first(dag, edge);
            long[] bytes = random.longs(set(dag, edge.id()).partitions(), 0, 300_000).toArray();
            shuffles.add(
                new ShuffleSizes.Shuffle(
                    List.of(written.id()), SizeHistogram.of(messageId, bytes), 1, 1));
          }
        }
      }
    }
    assertThat(tasks).isGreaterThan(1);
    coalesced++;
    return new ShuffleSizes(messageId, shuffles);
  }

  @AfterContainer
  static void someStagesWereCoalesced() {
    assertThat(coalesced).isGreaterThan(10);
  }
}
