// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.property.ResourceSlot;
import dev.anemone.runtime.engine.TaskNativeMemory;
import java.util.List;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.runners.fnexecution.provisioning.JobInfo;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.BigEndianIntegerCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.Impulse;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.transforms.SimpleFunction;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.transforms.Values;
import org.apache.beam.sdk.transforms.WithKeys;
import org.apache.beam.sdk.transforms.resourcehints.ResourceHints;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.util.construction.PipelineTranslation;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.Struct;
import org.joda.time.Duration;
import org.junit.jupiter.api.Test;

class PortableTranslatorTest {

  /** Takes the length. */
  private static final class Length extends SimpleFunction<byte[], Integer> {
    @Override
    public Integer apply(byte[] bytes) {
      return bytes.length;
    }
  }

  private static IRDag translate(Pipeline pipeline) {
    return translate(pipeline, "beam:env:external:v1");
  }

  private static IRDag translate(Pipeline pipeline, String environmentUrn) {
    RunnerApi.Pipeline.Builder proto = PipelineTranslation.toProto(pipeline).toBuilder();
    proto
        .getComponentsBuilder()
        .getEnvironmentsMap()
        .forEach(
            (id, environment) ->
                proto
                    .getComponentsBuilder()
                    .putEnvironments(id, environment.toBuilder().setUrn(environmentUrn).build()));
    JobInfo job = JobInfo.create("job", "job", "", Struct.getDefaultInstance());
    return PortableTranslator.of(proto.build(), job).translate().dag();
  }

  private static Pipeline sums(Window<KV<String, Integer>> window) {
    Pipeline pipeline = Pipeline.create();
    pipeline
        .apply(Create.of(KV.of("a", 1), KV.of("a", 2)))
        .apply(window)
        .apply("sum", Sum.integersPerKey());
    return pipeline;
  }

  private static List<String> names(Pipeline pipeline) {
    return translate(pipeline).vertices().stream().map(IRVertex::name).toList();
  }

  @Test
  void combinesBeforeTheShuffle() {
    assertThat(names(sums(Window.into(FixedWindows.of(Duration.standardHours(1))))))
        .contains("sum/Group", "sum/Merge + sum/Extract");
  }

  @Test
  void doesNotCombineWhatMayBelongToAWindowThatGrows() {
    assertThat(names(sums(Window.into(Sessions.withGapDuration(Duration.standardHours(1))))))
        .noneMatch(name -> name.contains("sum/Merge"));
  }

  /** Must see the same elements in each attempt. */
  private static final class Stable extends DoFn<String, String> {
    @RequiresStableInput
    @ProcessElement
    public void process() {}
  }

  @Test
  void whatMustBeStableIsKeptBeforeItIsSpread() {
    Pipeline pipeline = Pipeline.create();
    PCollection<String> words = pipeline.apply(Create.of("a", "b"));
    words.apply("stable", ParDo.of(new Stable()));
    words.apply("spread", Reshuffle.viaRandomKey()).apply("stable behind", ParDo.of(new Stable()));

    IRDag dag = translate(pipeline);

    List<String> after =
        dag.vertices().stream()
            .filter(vertex -> vertex.name().endsWith("/StableInput"))
            .flatMap(vertex -> dag.outgoing(vertex.id()).stream())
            .map(edge -> dag.vertex(edge.from()).name() + " -> " + dag.vertex(edge.to()).name())
            .toList();
    assertThat(after)
        .containsExactlyInAnyOrder(
            "stable/ParMultiDo(Stable)/StableInput -> stable/ParMultiDo(Stable)",
            "spread/Reshuffle/StableInput -> spread/Reshuffle",
            "stable behind/ParMultiDo(Stable)/StableInput -> stable behind/ParMultiDo(Stable)");
  }

  @Test
  void resourceHintsSayWhatATaskOccupies() {
    Pipeline pipeline = Pipeline.create();
    pipeline
        .apply(Impulse.create())
        .apply(
            "hinted",
            MapElements.via(new Length())
                .setResourceHints(ResourceHints.create().withMinRam("48MiB").withCPUCount(2)));

    List<IRVertex> hinted =
        translate(pipeline).vertices().stream()
            .filter(vertex -> vertex.name().contains("hinted"))
            .toList();

    assertThat(hinted)
        .singleElement()
        .satisfies(
            vertex ->
                assertThat(vertex.properties().get(ResourceSlot.class))
                    .contains(new ResourceSlot(48, 2, 0)));
  }

  @Test
  void anExecutorHasRoomForOneHarnessThatIsAProcess() {
    Pipeline pipeline = sums(Window.into(FixedWindows.of(Duration.standardHours(1))));

    assertThat(TaskNativeMemory.boundOf(translate(pipeline, "beam:env:process:v1")))
        .isEqualTo(256L << 20);
    assertThat(TaskNativeMemory.boundOf(translate(pipeline))).isZero();
  }

  private static PCollection<KV<String, Integer>> pairs(
      Pipeline pipeline, String name, Coder<Integer> coder) {
    return pipeline.apply(name, Create.of(1).withCoder(coder)).apply("keys of " + name, keys());
  }

  private static WithKeys<String, Integer> keys() {
    return WithKeys.<String, Integer>of("key");
  }

  private static PCollection<KV<String, Integer>> flatten(
      PCollection<KV<String, Integer>> some, PCollection<KV<String, Integer>> others) {
    return PCollectionList.of(some).and(others).apply(Flatten.pCollections());
  }

  private static List<String> namesOf(IRDag dag, String part) {
    return dag.vertices().stream()
        .map(vertex -> vertex.name())
        .filter(name -> name.contains(part))
        .toList();
  }

  @Test
  void whatIsFlattenedInAnSdkAndGroupedIsCopied() {
    Pipeline pipeline = Pipeline.create();
    PCollection<KV<String, Integer>> some = pairs(pipeline, "some", VarIntCoder.of());
    some.apply("group", GroupByKey.create());
    flatten(some, pairs(pipeline, "others", VarIntCoder.of())).apply("read", Values.create());

    assertThat(namesOf(translate(pipeline), "copy of")).hasSize(1);
  }

  @Test
  void whatTheRunnerHasIsCodedAnewByAnSdk() {
    Pipeline pipeline = Pipeline.create();
    PCollection<KV<String, Integer>> some = pairs(pipeline, "some", BigEndianIntegerCoder.of());
    some.apply("group", GroupByKey.create());
    flatten(pairs(pipeline, "others", VarIntCoder.of()), some)
        .apply("group all", GroupByKey.create());

    assertThat(namesOf(translate(pipeline), "copy of")).hasSize(1);
  }

  @Test
  void whatTheRunnerMakesAndFlattensIsNotCopied() {
    Pipeline pipeline = Pipeline.create();
    PCollectionList.of(
            pairs(pipeline, "some", VarIntCoder.of()).apply("group", GroupByKey.create()))
        .and(pairs(pipeline, "others", VarIntCoder.of()).apply("group too", GroupByKey.create()))
        .apply(Flatten.pCollections())
        .apply("group all", GroupByKey.create());

    assertThat(namesOf(translate(pipeline), "copy of")).isEmpty();
  }
}
