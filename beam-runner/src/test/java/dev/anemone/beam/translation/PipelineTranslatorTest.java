// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.translation.Pipelines.ParseNumber;
import dev.anemone.beam.translation.Pipelines.SplitWords;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.ResourceSlot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Redistribute;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.transforms.WithKeys;
import org.apache.beam.sdk.transforms.join.CoGroupByKey;
import org.apache.beam.sdk.transforms.join.KeyedPCollectionTuple;
import org.apache.beam.sdk.transforms.resourcehints.ResourceHints;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;
import org.joda.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PipelineTranslatorTest {

  private static final TupleTag<String> WORDS = new TupleTag<>("words") {};
  private static final TupleTag<Integer> LENGTHS = new TupleTag<>("lengths") {};

  private final Pipeline pipeline = Pipeline.create();

  @TempDir Path directory;

  @Test
  void wordCountReadsShufflesOnceAndOffersToBeSplit() throws IOException {
    Path file = Files.writeString(directory.resolve("words.txt"), "a b a\n");
    pipeline
        .apply("Read", TextIO.read().from(file.toString()))
        .apply("Split", ParDo.of(new SplitWords()))
        .apply("Count", Count.perElement());

    GoldenPlan.assertMatches("word-count", translate());
  }

  @Test
  void aJoinIsAFlattenOfTaggedInputsAndOneShuffle() throws IOException {
    TupleTag<String> names = new TupleTag<>("names");
    TupleTag<Integer> ages = new TupleTag<>("ages");
    KeyedPCollectionTuple.of(
            names, pipeline.apply("Names", Create.of(KV.of(1, "a"), KV.of(2, "b"))))
        .and(ages, pipeline.apply("Ages", Create.of(KV.of(1, 40), KV.of(2, 50))))
        .apply("Join", CoGroupByKey.create());

    GoldenPlan.assertMatches("join", translate());
  }

  @Test
  void sideInputsAreBroadcast() throws IOException {
    PCollection<String> lines = pipeline.apply("Lines", Create.of("1", "2"));
    PCollectionView<Iterable<String>> all = lines.apply("All", View.asIterable());
    PCollectionView<Integer> sum =
        lines
            .apply("Parse", ParDo.of(new ParseNumber()))
            .apply("Sum", Combine.globally(Sum.ofIntegers()).asSingletonView());
    lines.apply(
        "Use", ParDo.of(new SplitWords()).withSideInput("all", all).withSideInput("sum", sum));

    GoldenPlan.assertMatches("side-inputs", translate());
  }

  @Test
  void aFlattenIsTheUnionOfItsConsumersEdges() throws IOException {
    PCollection<String> one = pipeline.apply("One", Create.of("a", "b"));
    PCollection<String> two = pipeline.apply("Two", Create.of("c", "d"));
    PCollection<String> inner =
        PCollectionList.of(one).and(two).apply("Inner", Flatten.pCollections());
    PCollectionList.of(inner)
        .and(one)
        .apply("Outer", Flatten.pCollections())
        .apply("Split", ParDo.of(new SplitWords()));

    GoldenPlan.assertMatches("flatten", translate());
  }

  @Test
  void aFlattenOfNothingIsASourceThatReadsNothing() throws IOException {
    PCollectionList.<String>empty(pipeline)
        .apply("Nothing", Flatten.pCollections())
        .setCoder(StringUtf8Coder.of())
        .apply("Split", ParDo.of(new SplitWords()));

    GoldenPlan.assertMatches("empty-flatten", translate());
  }

  @Test
  void windowsAreAssignedByAnOperator() throws IOException {
    pipeline
        .apply("Lines", Create.of("a b", "c"))
        .apply("Fixed", Window.into(FixedWindows.of(Duration.standardMinutes(1))))
        .apply("Key", WithKeys.<Integer, String>of(1).withKeyType(Pipelines.INTEGER))
        .apply("Group", GroupByKey.create());

    GoldenPlan.assertMatches("windows", translate());
  }

  @Test
  void reshuffleAndRedistributeAreShufflesWithoutKeys() throws IOException {
    PCollection<String> lines = pipeline.apply("Lines", Create.of("a", "b"));
    lines.apply("Reshuffle", Reshuffle.viaRandomKey());
    lines.apply("Redistribute", Redistribute.arbitrarily());
    PCollection<KV<Integer, String>> keyed =
        lines.apply("Key", WithKeys.<Integer, String>of(1).withKeyType(Pipelines.INTEGER));
    keyed.apply("ReshuffleByKey", Reshuffle.of());
    keyed.apply("RedistributeByKey", Redistribute.byKey());

    GoldenPlan.assertMatches("reshuffle", translate());
  }

  @Test
  void eachOutputOfAParDoHasItsOwnEdges() {
    PCollectionTuple outputs =
        pipeline
            .apply(Create.of("a b", "c"))
            .apply(
                "Split",
                ParDo.of(new SplitWords()).withOutputTags(WORDS, TupleTagList.of(LENGTHS)));
    outputs.get(WORDS).apply("CountWords", Count.perElement());
    outputs.get(LENGTHS).apply("CountLengths", Count.perElement());

    IRDag dag = translate();

    String split = vertex(dag, "Split").id();
    assertThat(dag.outgoing(split))
        .extracting(IREdge::output)
        .containsExactlyInAnyOrder(IREdge.MAIN, "lengths");
  }

  @Test
  void anOutputThatNobodyReadsHasNoEdge() {
    pipeline.apply(Create.of("a", "b")).apply("Split", ParDo.of(new SplitWords()));

    IRDag dag = translate();

    assertThat(dag.outgoing(vertex(dag, "Split").id())).isEmpty();
  }

  @Test
  void aCombineIsNotSplitWhereWindowsMerge() {
    pipeline
        .apply(Create.of("a", "b"))
        .apply(Window.into(Sessions.withGapDuration(Duration.standardMinutes(1))))
        .apply("Count", Count.perElement());

    OperatorVertex count = (OperatorVertex) vertex(translate(), "Count/Combine");

    assertThat(count.combine()).isEmpty();
  }

  @Test
  void aCombineWithSideInputsIsNotSplit() {
    PCollection<KV<Integer, Integer>> input = pipeline.apply("In", Create.of(KV.of(1, 2)));
    PCollectionView<Integer> factor =
        pipeline.apply("Factor", Create.of(3)).apply(View.asSingleton());
    input.apply(
        "Scale",
        Combine.<Integer, Integer, Integer>perKey(new Pipelines.ScaledSum(factor))
            .withSideInputs(factor));

    IRDag dag = translate();

    OperatorVertex scale = (OperatorVertex) vertex(dag, "Scale");
    assertThat(scale.combine()).isEmpty();
    assertThat(dag.incoming(scale.id()))
        .extracting(IREdge::pattern)
        .containsExactly(CommunicationPattern.SHUFFLE, CommunicationPattern.BROADCAST);
  }

  @Test
  void aCombineWithoutAnAccumulatorCoderGroupsAndThenCombines() {
    pipeline
        .apply(Create.of(KV.of(1, 2), KV.of(1, 3)))
        .apply("Combine", Combine.perKey(new Pipelines.OpaqueSum()));

    IRDag dag = translate();

    assertThat(dag.vertices())
        .extracting(IRVertex::name)
        .anyMatch(name -> name.startsWith("Combine/GroupByKey"))
        .anyMatch(name -> name.startsWith("Combine/Combine.GroupedValues"));
  }

  @Test
  void anInputIsTaggedAlikeInEachJoinThatItEntersInTheSamePlace() {
    TupleTag<Integer> left = new TupleTag<>("left");
    TupleTag<Integer> right = new TupleTag<>("right");
    PCollection<KV<Integer, Integer>> shared = pipeline.apply("Shared", Create.of(KV.of(1, 2)));
    PCollection<KV<Integer, Integer>> other = pipeline.apply("Other", Create.of(KV.of(1, 3)));
    KeyedPCollectionTuple.of(left, shared).and(right, other).apply("A", CoGroupByKey.create());
    KeyedPCollectionTuple.of(left, shared).and(right, other).apply("B", CoGroupByKey.create());

    IRDag dag = translate();

    OperatorVertex inA = (OperatorVertex) vertex(dag, "A/MakeUnionTable0");
    OperatorVertex inB = (OperatorVertex) vertex(dag, "B/MakeUnionTable0");
    OperatorVertex second = (OperatorVertex) vertex(dag, "B/MakeUnionTable1");
    assertThat(inA.operator()).isEqualTo(inB.operator()).isNotEqualTo(second.operator());
    assertThat(inA.traits()).isEqualTo(inB.traits()).containsExactly(OperatorTrait.PURE);
  }

  @Test
  void aLargeFileIsSplitIntoSeveralPartsForEachSlot() throws IOException {
    Path file = directory.resolve("large.txt");
    Files.write(file, new byte[16 << 20]);
    pipeline.apply("Read", TextIO.read().from(file.toString()));

    SourceVertex source = (SourceVertex) vertex(translate(), "Read/Read");

    assertThat(source.parts()).hasSize(8);
    assertThat(source.sizeBytes()).isEqualTo(16 << 20);
  }

  @Test
  void partsAreNeitherTinyNorHuge() {
    assertThat(ReadTranslator.partBytes(0, 2)).isEqualTo(1 << 20);
    assertThat(ReadTranslator.partBytes(1L << 40, 2)).isEqualTo(64 << 20);
    assertThat(ReadTranslator.partBytes(80L << 20, 2)).isEqualTo(10 << 20);
  }

  @Test
  void resourceHintsOfAStepAndOfWhatEnclosesItAreWhatItsTasksOccupy() {
    PCollection<String> lines = pipeline.apply("Lines", Create.of("a", "b"));
    lines.apply(
        "Split",
        ParDo.of(new SplitWords())
            .setResourceHints(ResourceHints.create().withMinRam((3L << 20) + 1).withCPUCount(2)));
    lines.apply(
        "Count",
        Count.<String>perElement().setResourceHints(ResourceHints.create().withMinRam(1L << 30)));

    IRDag dag = translate();

    assertThat(vertex(dag, "Split").property(ResourceSlot.class))
        .contains(new ResourceSlot(4, 2, 0));
    assertThat(vertex(dag, "Count/Init").property(ResourceSlot.class))
        .contains(new ResourceSlot(1024, 0, 0));
    assertThat(vertex(dag, "Lines").property(ResourceSlot.class)).isEmpty();
  }

  private IRDag translate() {
    return PipelineTranslator.translate(pipeline, PipelineOptionsFactory.create(), 2).dag();
  }

  private static IRVertex vertex(IRDag dag, String namePrefix) {
    List<IRVertex> found =
        dag.vertices().stream().filter(v -> v.name().startsWith(namePrefix)).toList();
    assertThat(found).as("vertices of " + namePrefix).isNotEmpty();
    return found.get(found.size() - 1);
  }
}
