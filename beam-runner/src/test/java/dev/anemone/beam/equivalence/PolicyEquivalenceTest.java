package dev.anemone.beam.equivalence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * A pipeline's answer does not depend on the policy, however skewed its data.
 *
 * <p>{@code -Danemone.equivalence.pipelines=500 -Danemone.equivalence.seed=7} tries that many
 * pipelines, beginning with that seed, in place of the few of a build.
 */
class PolicyEquivalenceTest {

  private static final int MOST_STEPS = 10;
  private static final List<String> POLICIES = List.of("DataSkew", "SamplingLargeShuffleSkew");

  @Property(tries = 12)
  void everyPolicyGivesTheSameAnswer(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = MOST_STEPS) int steps) {
    assertSameAnswers(seed, steps);
  }

  /** In these, stages are joined task by task with what is made of them behind a shuffle. */
  @Property
  void stagesAreNotMeasuredForThemselves(@ForAll @From("joinedWithTheirOwn") long seed) {
    assertSameAnswers(seed, 1 + (int) Math.floorMod(seed, (long) MOST_STEPS));
  }

  @Provide
  Arbitrary<Long> joinedWithTheirOwn() {
    return Arbitraries.of(100209L, 300148L);
  }

  @Example
  void asManyMoreAsAreAskedFor() {
    int pipelines = Integer.getInteger("anemone.equivalence.pipelines", 0);
    long first = Long.getLong("anemone.equivalence.seed", 0);
    for (long seed = first; seed < first + pipelines; seed++) {
      assertSameAnswers(seed, 1 + Math.floorMod(seed, MOST_STEPS));
    }
  }

  private static void assertSameAnswers(long seed, int steps) {
    RandomPipeline pipeline = new RandomPipeline(seed, steps);
    Random random = new Random(Mixing.mix(seed, steps));
    List<String> tasks = tasks(random);
    String sampling = sampling(random);
    Map<String, Long> expected = pipeline.run(with(tasks, "--optimizationPolicy=Default"));
    for (String policy : POLICIES) {
      List<String> arguments = with(tasks, "--optimizationPolicy=" + policy, sampling);
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
