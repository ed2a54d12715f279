// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.equivalence;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.joda.time.Duration;

/**
 * A pipeline of sources and steps, each of which reads collections made before it. With fewer steps
 * it is the beginning of itself, and so it shrinks.
 */
final class RandomPipeline {

  /** A pipeline takes seconds. */
  private static final Duration DEADLINE = Duration.standardMinutes(3);

  private static final int MOST_SOURCES = 3;
  private static final int MOST_ELEMENTS = 400;
  private static final int MOST_PARTS = 20;

  /** Beyond this, one collection is grouped instead. */
  private static final long MOST_WORK = 400_000;

  private final List<SkewedSource> sources = new ArrayList<>();
  private final List<Use> uses = new ArrayList<>();
  private final Set<Integer> results = new HashSet<>();

  /**
   * A step and what it reads.
   *
   * @param left number of a collection: sources first, then the steps' results
   * @param right likewise; not used by steps that read one
   * @param argument whatever the step makes of it
   */
  private record Use(Step step, int left, int right, int argument) {}

  /**
   * A random pipeline.
   *
   * @param seed all that it depends on, besides
   * @param steps how many steps it has
   */
  RandomPipeline(long seed, int steps) {
    Random random = new Random(Mixing.mix(seed, 0));
    List<Long> sizes = new ArrayList<>();
    for (int n = 1 + random.nextInt(MOST_SOURCES); n > 0; n--) {
      SkewedSource source = source(random);
      sources.add(source);
      sizes.add((long) source.elements());
    }
    for (int n = 0; n < steps; n++) {
      Use use = use(random, sizes);
      // Some are both read on and looked at.
      if (random.nextInt(4) > 0) {
        results.remove(use.left());
      }
      uses.add(use);
      results.add(sizes.size());
      sizes.add(use.step().mostResults(sizes.get(use.left()), sizes.get(use.right())));
    }
  }

  private static SkewedSource source(Random random) {
    KeyLaw[] laws = KeyLaw.values();
    return new SkewedSource(
        laws[random.nextInt(laws.length)],
        random.nextInt(91),
        random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(MOST_ELEMENTS),
        3 + random.nextInt(MOST_PARTS - 2),
        random.nextLong());
  }

  private static Use use(Random random, List<Long> sizes) {
    Step[] steps = Step.values();
    Step step = steps[random.nextInt(steps.length)];
    // Prefers what was made last, so that there are several shuffles in a row.
    int left = sizes.size() - 1 - random.nextInt(1 + random.nextInt(sizes.size()));
    int right = random.nextInt(sizes.size());
    int argument = random.nextInt(100);
    boolean tooMuch = step.mostWork(sizes.get(left), sizes.get(right)) > MOST_WORK;
    return new Use(tooMuch ? Step.GROUP : step, left, right, argument);
  }

  /** Runs it to its end; gives each result, and how often it was made. */
  Map<String, Long> run(List<String> arguments) {
    Pipeline pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs(
                    Stream.concat(
                            Stream.of("--runner=NemoRunner", "--blockOnRun=false"),
                            arguments.stream())
                        .toArray(String[]::new))
                .create());
    Outcome outcome = new Outcome();
    List<PCollection<KV<Integer, Long>>> collections = new ArrayList<>();
    for (SkewedSource source : sources) {
      collections.add(pipeline.apply("Source" + collections.size(), Read.from(source)));
    }
    for (Use use : uses) {
      collections.add(
          use.step()
              .apply(
                  use.step() + "" + collections.size(),
                  collections.get(use.left()),
                  collections.get(use.right()),
                  use.argument()));
    }
    for (int result : results) {
      collections
          .get(result)
          .apply("Collect" + result, ParDo.of(outcome.collect(String.valueOf(result))));
    }
    PipelineResult result = pipeline.run();
    if (result.waitUntilFinish(DEADLINE) == null) {
      throw new AssertionError("after " + DEADLINE + " this still runs: " + arguments + this);
    }
    return outcome.take();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    int number = 0;
    for (SkewedSource source : sources) {
      text.append("\n  ").append(number++).append(" = ").append(source);
    }
    for (Use use : uses) {
      text.append("\n  ").append(number++).append(" = ").append(use.step()).append('(');
      text.append(use.left());
      if (use.step().readsTwo()) {
        text.append(", ").append(use.right());
      }
      text.append("; ").append(use.argument()).append(')');
    }
    return text.append("\n  results ").append(results).toString();
  }
}
