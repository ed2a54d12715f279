// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.transforms.Join;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.FlatMapElements;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.transforms.join.CoGbkResult;
import org.apache.beam.sdk.transforms.join.CoGroupByKey;
import org.apache.beam.sdk.transforms.join.KeyedPCollectionTuple;
import org.apache.beam.sdk.transforms.windowing.AfterPane;
import org.apache.beam.sdk.transforms.windowing.AfterWatermark;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.SlidingWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TimestampedValue;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole pipelines, run to their end. */
class NemoRunnerTest {

  private static final TupleTag<String> SHORT = new TupleTag<>("short") {};
  private static final TupleTag<Integer> LONG = new TupleTag<>("long") {};

  private final TestPipeline pipeline =
      TestPipeline.fromOptions(PipelineOptionsFactory.fromArgs("--runner=NemoRunner").create())
          .enableAbandonedNodeEnforcement(true);

  @TempDir Path directory;

  @Test
  void wordCountReadsAndWritesTextFiles() throws IOException {
    Path input = Files.writeString(directory.resolve("in.txt"), "to be or\nnot to be\n");
    pipeline
        .apply(TextIO.read().from(input.toString()))
        .apply(
            FlatMapElements.into(TypeDescriptors.strings())
                .via((String line) -> Arrays.asList(line.split(" ", -1))))
        .apply(Count.perElement())
        .apply(
            MapElements.into(TypeDescriptors.strings())
                .via((KV<String, Long> count) -> count.getKey() + ": " + count.getValue()))
        .apply(TextIO.write().to(directory.resolve("out").toString()));

    pipeline.run();

    assertThat(linesOf("out")).containsExactlyInAnyOrder("to: 2", "be: 2", "or: 1", "not: 1");
  }

  @Test
  void sideInputsOfEveryKindAreRead() {
    PCollection<Integer> numbers = pipeline.apply("Numbers", Create.of(1, 2, 3));
    PCollection<KV<String, Integer>> pairs =
        pipeline.apply("Pairs", Create.of(KV.of("a", 1), KV.of("b", 2)));
    PCollectionView<Integer> singleton =
        numbers.apply("Sum", Sum.integersGlobally().asSingletonView());
    PCollectionView<Iterable<Integer>> iterable = numbers.apply(View.asIterable());
    PCollectionView<List<Integer>> list = numbers.apply(View.asList());
    PCollectionView<Map<String, Integer>> map = pairs.apply(View.asMap());
    PCollectionView<Map<String, Iterable<Integer>>> multimap = pairs.apply(View.asMultimap());
    PCollection<String> seen =
        pipeline
            .apply("Main", Create.of("x"))
            .apply(
                ParDo.of(new ReadSideInputs(singleton, iterable, list, map, multimap))
                    .withSideInputs(singleton, iterable, list, map, multimap));

    PAssert.that(seen)
        .containsInAnyOrder("singleton 6", "iterable 6", "list 3", "map 2", "multimap [1]");
    pipeline.run();
  }

  @Test
  void ofASideInputThatFiresTwiceTheElementsAreSeenOnce() {
    Window<Integer> twice =
        Window.<Integer>into(new GlobalWindows())
            .triggering(
                AfterWatermark.pastEndOfWindow().withEarlyFirings(AfterPane.elementCountAtLeast(1)))
            .withAllowedLateness(Duration.ZERO);
    PCollection<Integer> numbers = pipeline.apply("Numbers", Create.of(1, 2, 3));
    PCollectionView<Integer> accumulated =
        numbers
            .apply("Accumulate", twice.accumulatingFiredPanes())
            .apply("Sum", Sum.integersGlobally().asSingletonView());
    PCollectionView<Integer> discarded =
        numbers
            .apply("Discard", twice.discardingFiredPanes())
            .apply("SumOnce", Sum.integersGlobally().asSingletonView());
    PCollection<String> seen =
        pipeline
            .apply("Main", Create.of("sum"))
            .apply("One", ParDo.of(new AddSideInput(accumulated)).withSideInputs(accumulated))
            .apply("Two", ParDo.of(new AddSideInput(discarded)).withSideInputs(discarded));

    PAssert.that(seen).containsInAnyOrder("sum 6 6");
    pipeline.run();
  }

  private static final class AddSideInput extends DoFn<String, String> {

    private final PCollectionView<Integer> side;

    AddSideInput(PCollectionView<Integer> side) {
      this.side = side;
    }

    @ProcessElement
    public void add(ProcessContext context) {
      context.output(context.element() + " " + context.sideInput(side));
    }
  }

  @Test
  void valuesAreGroupedByFixedWindow() {
    PCollection<KV<String, Long>> counts = windowed(FixedWindows.of(Duration.standardSeconds(10)));

    PAssert.that(counts)
        .containsInAnyOrder(List.of(KV.of("a", 2L), KV.of("a", 1L), KV.of("b", 1L)));
    pipeline.run();
  }

  @Test
  void valuesAreGroupedBySlidingWindow() {
    PCollection<KV<String, Long>> counts =
        windowed(
            SlidingWindows.of(Duration.standardSeconds(20)).every(Duration.standardSeconds(10)));

    PAssert.that(counts)
        .containsInAnyOrder(
            List.of(
                KV.of("a", 2L), KV.of("a", 3L), KV.of("a", 1L), KV.of("b", 1L), KV.of("b", 1L)));
    pipeline.run();
  }

  @Test
  void valuesAreGroupedBySession() {
    PCollection<KV<String, Long>> counts =
        windowed(Sessions.withGapDuration(Duration.standardSeconds(8)));

    PAssert.that(counts)
        .containsInAnyOrder(List.of(KV.of("a", 2L), KV.of("a", 1L), KV.of("b", 1L)));
    pipeline.run();
  }

  /** Key a at 1 s, 5 s and 15 s, key b at 2 s; counted by window. */
  private PCollection<KV<String, Long>> windowed(WindowFn<Object, ?> windowFn) {
    return pipeline
        .apply(
            Create.timestamped(
                TimestampedValue.of("a", Instant.ofEpochMilli(1_000)),
                TimestampedValue.of("a", Instant.ofEpochMilli(5_000)),
                TimestampedValue.of("b", Instant.ofEpochMilli(2_000)),
                TimestampedValue.of("a", Instant.ofEpochMilli(15_000))))
        .apply(Window.into(windowFn))
        .apply(Count.perElement());
  }

  @Test
  void aJoinMeetsEqualKeys() {
    TupleTag<String> names = new TupleTag<>("names");
    TupleTag<Integer> ages = new TupleTag<>("ages");
    PCollection<String> joined =
        KeyedPCollectionTuple.of(
                names, pipeline.apply("Names", Create.of(KV.of(1, "ann"), KV.of(2, "bob"))))
            .and(ages, pipeline.apply("Ages", Create.of(KV.of(2, 50), KV.of(1, 40), KV.of(3, 1))))
            .apply(CoGroupByKey.create())
            .apply(
                MapElements.into(TypeDescriptors.strings())
                    .via(
                        (KV<Integer, CoGbkResult> row) ->
                            row.getKey()
                                + " "
                                + row.getValue().getOnly(new TupleTag<String>("names"), "-")
                                + " "
                                + row.getValue().getOnly(new TupleTag<Integer>("ages"), 0)));

    PAssert.that(joined).containsInAnyOrder("1 ann 40", "2 bob 50", "3 - 1");
    pipeline.run();
  }

  @Test
  void aBroadcastJoinFindsKeysWhoseSchemaDiffersInNullability() {
    Schema nullable = Schema.builder().addNullableStringField("name").addInt32Field("age").build();
    Schema required = Schema.builder().addStringField("name").addInt32Field("year").build();
    PCollection<Row> ages =
        pipeline.apply(
            "Ages",
            Create.of(
                    Row.withSchema(nullable).addValues("ann", 40).build(),
                    Row.withSchema(nullable).addValues(null, 50).build())
                .withRowSchema(nullable));
    PCollection<Row> years =
        pipeline.apply(
            "Years",
            Create.of(
                    Row.withSchema(required).addValues("ann", 1986).build(),
                    Row.withSchema(required).addValues("bob", 1976).build())
                .withRowSchema(required));
    PCollection<String> joined =
        ages.apply(
                Join.<Row, Row>innerBroadcastJoin(years)
                    .on(Join.FieldsEqual.left("name").right("name")))
            .apply(
                MapElements.into(TypeDescriptors.strings())
                    .via(
                        (Row row) ->
                            row.getRow(0).getString("name") + " " + row.getRow(1).getValue(1)));

    PAssert.that(joined).containsInAnyOrder("ann 1986");
    pipeline.run();
  }

  /** Both are grouped alike, but what is written for the one has each record only once. */
  @Test
  void aUnionWithItselfIsGroupedWholeBesideTheCollection() {
    PCollection<KV<String, Long>> once =
        pipeline.apply(Create.of(List.of(KV.of("a", 1L), KV.of("a", 2L), KV.of("b", 3L))));
    PCollection<KV<String, Long>> twice =
        PCollectionList.of(once).and(once).apply(Flatten.pCollections());

    PAssert.that(sizes(once, "Once")).containsInAnyOrder(List.of(KV.of("a", 2L), KV.of("b", 1L)));
    PAssert.that(sizes(twice, "Twice")).containsInAnyOrder(List.of(KV.of("a", 4L), KV.of("b", 2L)));
    pipeline.run();
  }

  private static PCollection<KV<String, Long>> sizes(
      PCollection<KV<String, Long>> pairs, String name) {
    return pairs
        .apply(name, GroupByKey.create())
        .apply(
            name + "Sizes",
            MapElements.into(
                    TypeDescriptors.kvs(TypeDescriptors.strings(), TypeDescriptors.longs()))
                .via(
                    group ->
                        KV.of(
                            group.getKey(),
                            StreamSupport.stream(group.getValue().spliterator(), false).count())));
  }

  @Test
  void aCollectionThatIsFlattenedTwiceCountsTwice() {
    PCollection<Integer> one = pipeline.apply("One", Create.of(1, 2));
    PCollection<Integer> two = pipeline.apply("Two", Create.of(3));
    PCollection<Integer> all =
        PCollectionList.of(one).and(two).and(one).apply(Flatten.pCollections());

    PAssert.that(all).containsInAnyOrder(1, 2, 1, 2, 3);
    pipeline.run();
  }

  @Test
  void aParDoWritesToSeveralOutputs() {
    PCollectionTuple outputs =
        pipeline
            .apply(Create.of("a", "long", "b"))
            .apply(ParDo.of(new SplitByLength()).withOutputTags(SHORT, TupleTagList.of(LONG)));

    PAssert.that(outputs.get(SHORT)).containsInAnyOrder("a", "b");
    PAssert.that(outputs.get(LONG)).containsInAnyOrder(4);
    pipeline.run();
  }

  @Test
  void aReshuffleKeepsEveryElement() {
    PCollection<Integer> numbers =
        pipeline.apply(Create.of(1, 2, 3, 4, 5)).apply(Reshuffle.viaRandomKey());

    PAssert.that(numbers).containsInAnyOrder(1, 2, 3, 4, 5);
    pipeline.run();
  }

  @Test
  void byteArrayKeysGroupByContent() {
    PCollection<Integer> sizes =
        pipeline
            .apply(
                Create.of(
                    KV.of("k".getBytes(UTF_8), 1),
                    KV.of("k".getBytes(UTF_8), 2),
                    KV.of("other".getBytes(UTF_8), 3)))
            .apply(GroupByKey.create())
            .apply(ParDo.of(new GroupSize<>()));

    PAssert.that(sizes).containsInAnyOrder(2, 1);
    pipeline.run();
  }

  @Test
  void aSumOfImmutableAccumulatorsIsRight() {
    PCollection<Integer> sum = pipeline.apply(Create.of(1, 2, 3, 4)).apply(Sum.integersGlobally());

    PAssert.that(sum).containsInAnyOrder(10);
    pipeline.run();
  }

  @Test
  void aCreateOfManyBytesIsNotInThePlanAgainAndAgain() {
    for (String policy : List.of("Default", "SamplingLargeShuffleSkew")) {
      TestPipeline large =
          TestPipeline.fromOptions(
                  PipelineOptionsFactory.fromArgs(
                          "--runner=NemoRunner", "--optimizationPolicy=" + policy)
                      .create())
              .enableAbandonedNodeEnforcement(true);
      List<byte[]> chunks = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        byte[] chunk = new byte[1 << 20];
        chunk[0] = (byte) i;
        chunks.add(chunk);
      }
      PCollection<KV<Integer, Long>> counts =
          large
              .apply(Create.of(chunks))
              .apply(MapElements.into(TypeDescriptors.integers()).via(chunk -> chunk[0] % 4))
              .apply(Count.perElement());

      PAssert.that(counts)
          .containsInAnyOrder(List.of(KV.of(0, 5L), KV.of(1, 5L), KV.of(2, 5L), KV.of(3, 5L)));
      large.run();
    }
  }

  @Test
  void everyPolicyGivesTheSameAnswer() {
    for (String policy :
        List.of(
            "Default",
            "BasicPull",
            "BasicPush",
            "LargeShuffle",
            "ConditionalLargeShuffle",
            "DataSkew",
            "SamplingLargeShuffleSkew")) {
      TestPipeline counting =
          TestPipeline.fromOptions(
                  PipelineOptionsFactory.fromArgs(
                          "--runner=NemoRunner", "--optimizationPolicy=" + policy)
                      .create())
              .enableAbandonedNodeEnforcement(true);
      PCollection<KV<String, Long>> counts =
          counting.apply(Create.of("a", "b", "a")).apply(Count.perElement());

      PAssert.that(counts).containsInAnyOrder(List.of(KV.of("a", 2L), KV.of("b", 1L)));
      counting.run();
    }
  }

  private List<String> linesOf(String prefix) throws IOException {
    Map<Path, List<String>> lines = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(f -> f.getFileName().toString().startsWith(prefix)).toList()) {
        lines.put(file, Files.readAllLines(file));
      }
    }
    return lines.values().stream().flatMap(List::stream).toList();
  }

  private static final class SplitByLength extends DoFn<String, String> {

    @ProcessElement
    public void split(@Element String word, MultiOutputReceiver out) {
      if (word.length() > 1) {
        out.get(LONG).output(word.length());
      } else {
        out.get(SHORT).output(word);
      }
    }
  }

  private static final class GroupSize<K> extends DoFn<KV<K, Iterable<Integer>>, Integer> {

    @ProcessElement
    public void count(@Element KV<K, Iterable<Integer>> group, OutputReceiver<Integer> out) {
      int size = 0;
      for (Integer unused : group.getValue()) {
        size++;
      }
      out.output(size);
    }
  }

  private static final class ReadSideInputs extends DoFn<String, String> {

    private final PCollectionView<Integer> singleton;
    private final PCollectionView<Iterable<Integer>> iterable;
    private final PCollectionView<List<Integer>> list;
    private final PCollectionView<Map<String, Integer>> map;
    private final PCollectionView<Map<String, Iterable<Integer>>> multimap;

    ReadSideInputs(
        PCollectionView<Integer> singleton,
        PCollectionView<Iterable<Integer>> iterable,
        PCollectionView<List<Integer>> list,
        PCollectionView<Map<String, Integer>> map,
        PCollectionView<Map<String, Iterable<Integer>>> multimap) {
      this.singleton = singleton;
      this.iterable = iterable;
      this.list = list;
      this.map = map;
      this.multimap = multimap;
    }

    @ProcessElement
    public void read(ProcessContext context) {
      int sum = 0;
      for (int number : context.sideInput(iterable)) {
        sum += number;
      }
      context.output("singleton " + context.sideInput(singleton));
      context.output("iterable " + sum);
      context.output("list " + context.sideInput(list).size());
      context.output("map " + context.sideInput(map).get("b"));
      context.output("multimap " + context.sideInput(multimap).get("a"));
    }
  }
}
