// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.testing.ArbitraryDags;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassRunner;
import dev.anemone.passes.graph.OneToOneGroups;
import dev.anemone.passes.policy.DataSkewPolicy;
import dev.anemone.passes.policy.Optimizer;
import dev.anemone.passes.policy.Policy;
import dev.anemone.passes.policy.SamplingLargeShuffleSkewPolicy;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** Any message draws ranges of any graph that break no rule and are no worse. */
class AnySkewTest {

  private static int redrawn;
  private static int divided;

  @Provide
  Arbitrary<IRDag> programs() {
    return ArbitraryDags.fromFrontEnd();
  }

  @Provide
  Arbitrary<Policy> policies() {
    return Arbitraries.of(new DataSkewPolicy(), new SamplingLargeShuffleSkewPolicy());
  }

  @Provide
  Arbitrary<PassContext> contexts() {
    return Arbitraries.<Map<String, String>>of(
            Map.of(
                "parallelism",
                "6",
                "keyRangeMultiplier",
                "3",
                "targetBytesPerTask",
                "1",
                "measureAllUpTo",
                "1"),
            Map.of(
                "minBytesPerTask",
                "1",
                "targetBytesPerShuffleTask",
                "100000",
                "targetBytesPerTask",
                "1"))
        .map(options -> PassContext.of(3, 1L << 20, options));
  }

  @Property(tries = 80, edgeCases = EdgeCasesMode.NONE)
  void rangesBreakNoRuleAndAreNoWorse(
      @ForAll("programs") IRDag program,
      @ForAll("policies") Policy policy,
      @ForAll("contexts") PassContext context,
      @ForAll Random random) {
    IRDag dag = Optimizer.standard().optimize(policy, program, context).result();
    PassContext running = context.withResizable(resizable(dag));
    for (String id : Messages.ids(dag)) {
      ShuffleSizes message = Messages.of(dag, id, (edge, n) -> randomSizes(random, n));
      OptimizationStep step =
          PassRunner.standard().runTime(new SkewRunTimePass(), dag, message, running);
      assertThat(new SkewRunTimePass().apply(dag, message, running)).isEqualTo(step.after());
      assertThat(step.notes()).isNotEmpty();
      if (tasksOf(step.after()).equals(tasksOf(dag))) {
        assertThat(largest(step.after(), message))
            .isLessThanOrEqualTo(largest(dag, message) * 1.0001);
      }
      redrawn += step.after().equals(dag) ? 0 : 1;
      divided += divisions(step.after()) > 0 ? 1 : 0;
      dag = step.after();
    }
  }

  @AfterContainer
  static void someWereDrawnAndSomeDivided() {
    assertThat(redrawn).isGreaterThan(20);
    assertThat(divided).isGreaterThan(3);
  }

  private static long[] randomSizes(Random random, int partitions) {
    long[] sizes = new long[partitions];
    for (int partition = 0; partition < partitions; partition++) {
      sizes[partition] =
          random.nextInt(3) == 0 ? 0 : (long) (1000 * Math.pow(random.nextDouble(), -0.8));
    }
    if (random.nextBoolean()) {
      sizes[random.nextInt(partitions)] = 1_000_000;
    }
    return sizes;
  }

  private static Set<String> resizable(IRDag dag) {
    Set<String> ids = new HashSet<>();
    OneToOneGroups groups = OneToOneGroups.of(dag);
    for (IRVertex vertex : dag.vertices()) {
      if (groups.of(vertex).stream().noneMatch(SourceVertex.class::isInstance)) {
        ids.add(vertex.id());
      }
    }
    return ids;
  }

  private static List<Integer> tasksOf(IRDag dag) {
    return dag.vertices().stream().map(DrawnConsumer::tasks).toList();
  }

  private static double largest(IRDag dag, ShuffleSizes message) {
    DrawnConsumer consumer = DrawnConsumer.of(dag, message);
    double[] loads = new double[consumer.tasks()];
    Set<List<String>> counted = new HashSet<>();
    for (DrawnConsumer.Drawn drawn : consumer.shuffles()) {
      if (counted.add(drawn.sizes().edges())) {
        double[] own = PartitionLoads.of(set(drawn.edge()), drawn.sizes());
        for (int task = 0; task < loads.length; task++) {
          loads[task] += own[task];
        }
      }
    }
    return Arrays.stream(loads).max().orElse(0);
  }

  private static PartitionSet set(IREdge edge) {
    return edge.property(PartitionSet.class).orElseThrow();
  }

  private static long divisions(IRDag dag) {
    return dag.edges().stream()
        .flatMap(edge -> edge.property(PartitionSet.class).stream())
        .mapToLong(set -> set.divisions().size())
        .sum();
  }
}
