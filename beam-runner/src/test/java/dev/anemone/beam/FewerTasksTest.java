// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.io.GenerateSequence;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Filter;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.WithKeys;
import org.apache.beam.sdk.transforms.join.CoGbkResult;
import org.apache.beam.sdk.transforms.join.CoGroupByKey;
import org.apache.beam.sdk.transforms.join.KeyedPCollectionTuple;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stages behind a filter that leaves little run as fewer tasks than its source made one expect. */
class FewerTasksTest {

  private static final long NUMBERS = 1 << 20;
  private static final TupleTag<Long> LEFT = new TupleTag<>("left") {};
  private static final TupleTag<Long> RIGHT = new TupleTag<>("right") {};

  private static final KvCoder<Long, Long> KV_OF_LONGS =
      KvCoder.of(VarLongCoder.of(), VarLongCoder.of());

  private final List<String> arguments =
      new ArrayList<>(
          List.of("--runner=NemoRunner", "--slots=4", "--passOptions=minBytesPerTask=1MB"));

  private Pipeline pipeline() {
    return Pipeline.create(
        PipelineOptionsFactory.fromArgs(arguments.toArray(String[]::new)).create());
  }

  private static PCollection<Long> few(Pipeline pipeline, String name, long every) {
    return pipeline
        .apply(name, GenerateSequence.from(0).to(NUMBERS))
        .apply("Filter" + name, Filter.by(number -> number % every == 0));
  }

  private static String summary(Pipeline pipeline) {
    NemoPipelineResult result = (NemoPipelineResult) pipeline.run();
    result.waitUntilFinish();
    return result.summary();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Default", "LargeShuffle"})
  void aCountOfLittleIsOneTask(String policy) {
    arguments.add("--optimizationPolicy=" + policy);
    Pipeline pipeline = pipeline();
    PAssert.that(few(pipeline, "Numbers", 1 << 16).apply(Count.perElement()))
        .containsInAnyOrder(LongStream.range(0, 16).mapToObj(n -> KV.of(n << 16, 1L)).toList());
    assertThat(summary(pipeline)).contains("4 tasks of").contains("become 1: they read");
  }

  @Test
  void bothSidesOfAJoinGoToTheSameTasks() {
    Pipeline pipeline = pipeline();
    PCollection<KV<Long, CoGbkResult>> joined =
        KeyedPCollectionTuple.of(
                LEFT,
                few(pipeline, "Left", 1 << 10)
                    .apply("KeyLeft", WithKeys.of((Long n) -> n % 64))
                    .setCoder(KV_OF_LONGS))
            .and(
                RIGHT,
                few(pipeline, "Right", 1 << 12)
                    .apply("KeyRight", WithKeys.of((Long n) -> n % 64))
                    .setCoder(KV_OF_LONGS))
            .apply(CoGroupByKey.create());
    PAssert.that(
            joined.apply(
                MapElements.into(TypeDescriptors.strings())
                    .via(
                        group ->
                            group.getKey()
                                + ":"
                                + size(group.getValue().getAll(LEFT))
                                + ":"
                                + size(group.getValue().getAll(RIGHT)))))
        .containsInAnyOrder("0:1024:256");
    assertThat(summary(pipeline)).contains("become 1: they read");
  }

  @Test
  void aNumberOfTasksThatWasAskedForStays() {
    arguments.add("--parallelism=4");
    Pipeline pipeline = pipeline();
    PAssert.that(few(pipeline, "Numbers", 1 << 16).apply(Count.globally())).containsInAnyOrder(16L);
    assertThat(summary(pipeline)).doesNotContain("become");
  }

  @Test
  void muchDataKeepsItsTasks() {
    Pipeline pipeline = pipeline();
    PCollection<KV<Long, Iterable<Long>>> groups =
        few(pipeline, "Numbers", 1)
            .apply(WithKeys.of((Long n) -> n % 1000))
            .setCoder(KV_OF_LONGS)
            .apply(GroupByKey.create());
    PAssert.that(groups.apply(Count.globally())).containsInAnyOrder(1000L);
    // The check itself reads little; the groups are read by four tasks.
    assertThat(summary(pipeline)).containsPattern("(?m)^e\\d+ +4 +2\\.\\d MB");
  }

  private static long size(Iterable<Long> values) {
    return StreamSupport.stream(values.spliterator(), false).count();
  }
}
