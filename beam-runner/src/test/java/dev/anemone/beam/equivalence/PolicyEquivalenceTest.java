// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.equivalence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.anemone.passes.policy.Policy;
import dev.anemone.passes.policy.PolicyRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * A pipeline's answer does not depend on the policy, however skewed its data.
 *
 * <p>{@code -Danemone.equivalence.pipelines=500 -Danemone.equivalence.seed=7} tries that many
 * pipelines under every policy, beginning with that seed, in place of the few of a build. With
 * {@code -Dsurefire.fork.seconds=0} that may take more than an hour.
 */
@Tag("slow")
class PolicyEquivalenceTest {

  private static final int MOST_STEPS = 10;
  private static final Path PERSISTENT_MEMORY =
      Path.of("target", "equivalence-memory").toAbsolutePath();

  private static final String REFERENCE = "Default";

  /** These look at the data. */
  private static final List<String> SAMPLING = List.of("DataSkew", "SamplingLargeShuffleSkew");

  private static final List<String> OTHERS =
      PolicyRegistry.ofContext().policies().stream()
          .map(Policy::name)
          .filter(policy -> !policy.equals(REFERENCE))
          .toList();

  @Property(tries = 12)
  void policiesThatSampleGiveTheSameAnswer(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = MOST_STEPS) int steps) {
    assertSameAnswers(SAMPLING, seed, steps);
  }

  /** In these, stages are joined task by task with what is made of them behind a shuffle. */
  @Property
  void stagesAreNotMeasuredForThemselves(@ForAll @From("joinedWithTheirOwn") long seed) {
    assertSameAnswers(SAMPLING, seed, 1 + (int) Math.floorMod(seed, (long) MOST_STEPS));
  }

  @Provide
  Arbitrary<Long> joinedWithTheirOwn() {
    return Arbitraries.of(100209L, 300148L);
  }

  /** Each pipeline is a test of its own, so that many of them are not taken for one that hangs. */
  @org.junit.jupiter.api.Tag("slow")
  @TestFactory
  Stream<DynamicTest> everyPolicyGivesTheSameAnswer() throws IOException {
    Files.createDirectories(PERSISTENT_MEMORY);
    assertThat(OTHERS).containsAll(SAMPLING).hasSize(11);
    int pipelines = Integer.getInteger("anemone.equivalence.pipelines", 3);
    assertThat(pipelines).isPositive();
    long first = Long.getLong("anemone.equivalence.seed", 0);
    // The first few have several steps too.
    return LongStream.range(first, first + pipelines)
        .mapToObj(
            seed ->
                dynamicTest(
                    "seed " + seed,
                    () ->
                        assertSameAnswers(
                            OTHERS, seed, 1 + Math.floorMod(3 * (seed + 1), MOST_STEPS))));
  }

  private static void assertSameAnswers(List<String> policies, long seed, int steps) {
    RandomPipeline pipeline = new RandomPipeline(seed, steps);
    Random random = new Random(Mixing.mix(seed, steps));
    List<String> tasks = tasks(random);
    String sampling = sampling(random);
    Map<String, Long> expected = pipeline.run(with(tasks, "--optimizationPolicy=" + REFERENCE));
    for (String policy : policies) {
      List<String> arguments = new ArrayList<>(tasks);
      arguments.add("--optimizationPolicy=" + policy);
      if (SAMPLING.contains(policy)) {
        arguments.add(sampling);
      } else if (policy.equals("Disaggregation")) {
        arguments.add("--persistentMemory=" + PERSISTENT_MEMORY);
        arguments.add("--persistentMemoryMb=64");
        arguments.add("--passOptions=intermediateStore=persistent_memory");
      }
      assertThat(pipeline.run(arguments))
          .as("seed %d, %d steps, %s:%s", seed, steps, arguments, pipeline)
          .isEqualTo(expected);
    }
  }

  /** How many tasks run at once, and most often how many a stage has. */
  private static List<String> tasks(Random random) {
    List<String> arguments = new ArrayList<>();
    arguments.add("--slots=" + (random.nextBoolean() ? 2 : 4));
    if (random.nextInt(4) > 0) {
      arguments.add("--parallelism=" + (1 + random.nextInt(8)));
    }
    return arguments;
  }

  /**
   * A rate, three times of four for stages with few tasks too, and half of the time few partitions,
   * so that many keys share the hot ones.
   */
  private static String sampling(Random random) {
    String rate = "--passOptions=samplingRate=" + (0.05 + 0.95 * random.nextDouble());
    if (random.nextInt(4) > 0) {
      rate += ",measureAllUpTo=1";
    }
    return random.nextBoolean() ? rate + ",keyRangeMultiplier=" + (1 + random.nextInt(4)) : rate;
  }

  private static List<String> with(List<String> arguments, String... more) {
    return Stream.concat(arguments.stream(), Stream.of(more)).toList();
  }
}
