// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.equivalence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.NemoPipelineResult;
import dev.anemone.beam.metrics.EdgeMetrics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.metrics.DistributionResult;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the policies for skewed data make of it, as far as a user can see. */
class SkewHandlingTest {

  /** A fifth of the producers is measured ahead of the others, few as they are. */
  private static final String SAMPLING = "--passOptions=samplingRate=0.2,measureAllUpTo=1";

  /** Eight partitions, so that a hot one has keys that not every producer has. */
  private static final String SAMPLING_OF_FEW_PARTITIONS = SAMPLING + ",keyRangeMultiplier=2";

  /** One key has 70 % of 40,000 elements, made by 20 tasks. */
  private static final SkewedSource HOT = new SkewedSource(KeyLaw.HOT, 70, 40_000, 20, 1);

  private static final SkewedSource SMALL = new SkewedSource(KeyLaw.HOT, 1, 400, 3, 2);

  @Test
  void aHotKeyOfAJoinIsDivided() {
    Function<Pipeline, PCollection<KV<Integer, Long>>> join =
        pipeline -> Step.INNER_JOIN.apply("Join", read(pipeline, HOT), read(pipeline, SMALL), 0);

    Run plain = run(join, "Default", "--parallelism=4", "--slots=4");
    Run skewed = run(join, "DataSkew", "--parallelism=4", "--slots=4", SAMPLING);

    assertThat(skewed.results()).isEqualTo(plain.results());
    assertThat(plain.largest().maxToMean()).isGreaterThan(2.5);
    assertThat(skewed.largest().maxToMean()).as(skewed.summary()).isLessThan(1.25);
  }

  @ParameterizedTest
  @EnumSource(
      value = Step.class,
      names = {"INNER_JOIN", "LEFT_JOIN", "RIGHT_JOIN", "FULL_JOIN", "WINDOWED_JOIN", "CO_GROUP"})
  void whereBothSidesHaveAHotKeyTheRowsAreTheSame(Step join) {
    SkewedSource large = new SkewedSource(KeyLaw.HOT, 80, 1_500, 12, 4);
    SkewedSource small = new SkewedSource(KeyLaw.HOT, 70, 250, 6, 5);
    boolean largeRight = join == Step.RIGHT_JOIN;
    Function<Pipeline, PCollection<KV<Integer, Long>>> steps =
        pipeline ->
            join.apply(
                "Join",
                read(pipeline, largeRight ? small : large),
                read(pipeline, largeRight ? large : small),
                0);

    Run plain = run(steps, "Default", "--parallelism=4", "--slots=4");
    Run skewed = run(steps, "DataSkew", "--parallelism=4", "--slots=4", SAMPLING_OF_FEW_PARTITIONS);

    assertThat(skewed.results()).isEqualTo(plain.results()).isNotEmpty();
    assertThat(skewed.summary())
        .contains(
            join == Step.FULL_JOIN || join == Step.CO_GROUP
                ? "cannot be divided"
                : " is divided among ");
  }

  @Test
  void aHotKeyThatIsCombinedIsMergedInTwoSteps() {
    // Every producer has an accumulator of the one hot key, and a few of others.
    SkewedSource source = new SkewedSource(KeyLaw.HOT, 60, 100, 20, 3);
    Function<Pipeline, PCollection<KV<Integer, Long>>> combine =
        pipeline -> read(pipeline, source).apply("Combine", Combine.perKey(new LargeSums()));

    Run plain = run(combine, "Default", "--parallelism=8", "--slots=4");
    Run skewed = run(combine, "DataSkew", "--parallelism=8", "--slots=4", SAMPLING);

    assertThat(skewed.results()).isEqualTo(plain.results());
    assertThat(skewed.mostOfATask()).as(skewed.summary()).isLessThan(plain.mostOfATask() * 3 / 4);
  }

  @Test
  void aHotKeyThatIsGroupedIsNoted() {
    Function<Pipeline, PCollection<KV<Integer, Long>>> group =
        pipeline -> Step.GROUP.apply("Group", read(pipeline, HOT), null, 0);

    Run plain = run(group, "Default", "--parallelism=4", "--slots=4");
    Run skewed = run(group, "DataSkew", "--parallelism=4", "--slots=4", SAMPLING);

    assertThat(skewed.results()).isEqualTo(plain.results());
    assertThat(skewed.summary()).contains(" waited; ").contains("cannot be divided");
  }

  @Test
  void severalShufflesAndABroadcastGiveTheSameWithRelays() {
    Function<Pipeline, PCollection<KV<Integer, Long>>> several =
        pipeline -> {
          PCollection<KV<Integer, Long>> hot = read(pipeline, HOT);
          PCollection<KV<Integer, Long>> small = read(pipeline, SMALL);
          PCollection<KV<Integer, Long>> sums = Step.SUM.apply("Sum", hot, null, 0);
          PCollection<KV<Integer, Long>> added = Step.SIDE_INPUT.apply("Add", hot, small, 0);
          PCollection<KV<Integer, Long>> joined = Step.LEFT_JOIN.apply("Join", added, sums, 0);
          return Step.GROUP.apply("Group", Step.NEW_KEYS.apply("Keys", joined, null, 9), null, 0);
        };

    Run plain = run(several, "Default", "--parallelism=5", "--slots=2");
    Run skewed = run(several, "SamplingLargeShuffleSkew", "--parallelism=5", "--slots=2", SAMPLING);

    assertThat(skewed.results()).isEqualTo(plain.results());
    assertThat(skewed.summary()).contains(" sampled and kept, ");
  }

  @Test
  void littleDataGetsFewerTasks() {
    Function<Pipeline, PCollection<KV<Integer, Long>>> group =
        pipeline -> Step.GROUP.apply("Group", read(pipeline, SMALL), null, 0);

    // Default takes tasks away as well.
    Run plain = run(group, "BasicPull", "--slots=4");
    Run skewed = run(group, "DataSkew", "--slots=4");

    assertThat(skewed.results()).isEqualTo(plain.results());
    assertThat(plain.largest().tasks()).isGreaterThan(1);
    assertThat(skewed.largest().tasks()).as(skewed.summary()).isEqualTo(1);
  }

  private static PCollection<KV<Integer, Long>> read(Pipeline pipeline, SkewedSource source) {
    return pipeline.apply(source.toString(), Read.from(source));
  }

  private static Run run(
      Function<Pipeline, PCollection<KV<Integer, Long>>> steps, String policy, String... options) {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.add("--runner=NemoRunner");
    arguments.add("--optimizationPolicy=" + policy);
    Pipeline pipeline =
        Pipeline.create(PipelineOptionsFactory.fromArgs(arguments.toArray(String[]::new)).create());
    Outcome outcome = new Outcome();
    steps.apply(pipeline).apply("Collect", ParDo.of(outcome.collect("")));
    NemoPipelineResult result = (NemoPipelineResult) pipeline.run();
    result.waitUntilFinish();
    return new Run(outcome.take(), edges(result), result.summary());
  }

  private static List<Edge> edges(NemoPipelineResult result) {
    Iterable<MetricResult<DistributionResult>> found =
        result
            .metrics()
            .queryMetrics(
                MetricsFilter.builder()
                    .addNameFilter(
                        MetricNameFilter.named(
                            EdgeMetrics.NAMESPACE, EdgeMetrics.READ_BYTES_PER_TASK))
                    .build())
            .getDistributions();
    return StreamSupport.stream(found.spliterator(), false)
        .map(MetricResult::getCommitted)
        .map(d -> new Edge(d.getSum(), d.getMax(), d.getCount()))
        .toList();
  }

  /**
   * What consumer tasks have read over an edge.
   *
   * @param sum bytes of all
   * @param max bytes of the one that read most
   * @param tasks how many there are
   */
  private record Edge(long sum, long max, long tasks) {

    double maxToMean() {
      return (double) max * tasks / sum;
    }
  }

  /** What came of a run. */
  private record Run(Map<String, Long> results, List<Edge> edges, String summary) {

    Edge largest() {
      return edges.stream().max(Comparator.comparingLong(Edge::sum)).orElseThrow();
    }

    long mostOfATask() {
      return edges.stream().mapToLong(Edge::max).max().orElseThrow();
    }
  }
}
