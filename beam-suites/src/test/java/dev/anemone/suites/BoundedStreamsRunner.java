// SPDX-License-Identifier: Apache-2.0
package dev.anemone.suites;

import dev.anemone.beam.NemoRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.PipelineRunner;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.runners.PTransformOverride;
import org.apache.beam.sdk.runners.PTransformOverrideFactory;
import org.apache.beam.sdk.runners.PipelineRunnerRegistrar;
import org.apache.beam.sdk.runners.TransformHierarchy.Node;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.util.construction.PTransformMatchers;
import org.apache.beam.sdk.util.construction.ReplacementOutputs;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.apache.beam.sdk.values.PValue;
import org.apache.beam.sdk.values.TimestampedValue;
import org.apache.beam.sdk.values.TupleTag;

/**
 * {@link NemoRunner} for tests that put streams into every pipeline, whether a query reads them or
 * not: each {@link TestStream} becomes a bounded collection of its elements, with their timestamps.
 * How the watermark went is lost, so a test of late data or of early panes means nothing here.
 */
public final class BoundedStreamsRunner extends PipelineRunner<PipelineResult> {

  private final NemoRunner runner;

  private BoundedStreamsRunner(NemoRunner runner) {
    this.runner = runner;
  }

  /** Beam calls this. */
  public static BoundedStreamsRunner fromOptions(PipelineOptions options) {
    return new BoundedStreamsRunner(NemoRunner.fromOptions(options));
  }

  @Override
  public PipelineResult run(Pipeline pipeline) {
    pipeline.replaceAll(
        List.of(
            PTransformOverride.of(
                PTransformMatchers.classEqualTo(TestStream.class), new Elements<>())));
    pipeline.traverseTopologically(
        new Pipeline.PipelineVisitor.Defaults() {
          @Override
          public void visitValue(PValue value, Node producer) {
            if (value instanceof PCollection<?> collection) {
              collection.setIsBoundedInternal(IsBounded.BOUNDED);
            }
          }
        });
    return runner.run(pipeline);
  }

  /** Makes {@code --runner=BoundedStreamsRunner} known to Beam. */
  public static final class Registrar implements PipelineRunnerRegistrar {

    @Override
    public Iterable<Class<? extends PipelineRunner<?>>> getPipelineRunners() {
      return List.of(BoundedStreamsRunner.class);
    }
  }

  private static final class Elements<T>
      implements PTransformOverrideFactory<PBegin, PCollection<T>, TestStream<T>> {

    @Override
    public PTransformReplacement<PBegin, PCollection<T>> getReplacementTransform(
        AppliedPTransform<PBegin, PCollection<T>, TestStream<T>> stream) {
      List<TimestampedValue<T>> elements = new ArrayList<>();
      for (TestStream.Event<T> event : stream.getTransform().getEvents()) {
        if (event instanceof TestStream.ElementEvent<T> added) {
          added.getElements().forEach(elements::add);
        }
      }
      return PTransformReplacement.of(
          stream.getPipeline().begin(),
          Create.timestamped(elements).withCoder(stream.getTransform().getValueCoder()));
    }

    @Override
    public Map<PCollection<?>, ReplacementOutput> mapOutputs(
        Map<TupleTag<?>, PCollection<?>> outputs, PCollection<T> newOutput) {
      return ReplacementOutputs.singleton(outputs, newOutput);
    }
  }
}
