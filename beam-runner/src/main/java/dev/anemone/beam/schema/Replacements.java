// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import dev.anemone.beam.translation.LeftOut;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.runners.PTransformOverride;
import org.apache.beam.sdk.runners.PTransformOverrideFactory;
import org.apache.beam.sdk.runners.TransformHierarchy.Node;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.util.construction.ReplacementOutputs;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PInput;
import org.apache.beam.sdk.values.TupleTag;

/** Steps of a pipeline that are to be replaced. */
final class Replacements {

  /** By the name of the last step, since transforms may be equal, or be used twice. */
  private final Map<String, SchemaPart> parts = new HashMap<>();

  private final Set<String> leftOut = new HashSet<>();

  /** Puts a part in the place of its last step. */
  void replace(Node last, SchemaPart part) {
    parts.put(last.getFullName(), part);
  }

  /** Leaves out a step that a part does. */
  void leaveOut(Node step) {
    leftOut.add(step.getFullName());
  }

  void apply(Pipeline pipeline) {
    List<PTransformOverride> overrides = new ArrayList<>();
    if (!parts.isEmpty()) {
      overrides.add(PTransformOverride.of(applied -> isPart(applied), new PartFactory()));
    }
    if (!leftOut.isEmpty()) {
      overrides.add(PTransformOverride.of(applied -> isLeftOut(applied), new LeftOutFactory()));
    }
    pipeline.replaceAll(overrides);
  }

  /** Not what has been put in a step's place, which has its name. */
  private boolean isPart(AppliedPTransform<?, ?, ?> applied) {
    return parts.containsKey(applied.getFullName())
        && SchemaStepReader.isStep(applied.getTransform());
  }

  private boolean isLeftOut(AppliedPTransform<?, ?, ?> applied) {
    return leftOut.contains(applied.getFullName())
        && SchemaStepReader.isStep(applied.getTransform());
  }

  private final class PartFactory
      implements PTransformOverrideFactory<
          PInput, PCollection<?>, PTransform<PInput, PCollection<?>>> {

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // a part reads rows of any type with a schema
    public PTransformReplacement<PInput, PCollection<?>> getReplacementTransform(
        AppliedPTransform<PInput, PCollection<?>, PTransform<PInput, PCollection<?>>> applied) {
      SchemaPart part = parts.get(applied.getFullName());
      List<PCollection<Object>> rows = new ArrayList<>();
      part.inputs().forEach(input -> rows.add((PCollection<Object>) input.rows()));
      return PTransformReplacement.of((PInput) PCollectionList.of(rows), (PTransform) part);
    }

    @Override
    public Map<PCollection<?>, ReplacementOutput> mapOutputs(
        Map<TupleTag<?>, PCollection<?>> outputs, PCollection<?> newOutput) {
      return ReplacementOutputs.singleton(outputs, newOutput);
    }
  }

  private static final class LeftOutFactory
      implements PTransformOverrideFactory<
          PInput, PCollection<?>, PTransform<PInput, PCollection<?>>> {

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // nobody reads what it makes
    public PTransformReplacement<PInput, PCollection<?>> getReplacementTransform(
        AppliedPTransform<PInput, PCollection<?>, PTransform<PInput, PCollection<?>>> applied) {
      PCollection<?> made = applied.getOutputs().values().iterator().next();
      return PTransformReplacement.of(
          (PInput) applied.getPipeline().begin(), (PTransform) new LeftOut(made));
    }

    @Override
    public Map<PCollection<?>, ReplacementOutput> mapOutputs(
        Map<TupleTag<?>, PCollection<?>> outputs, PCollection<?> newOutput) {
      return ReplacementOutputs.singleton(outputs, newOutput);
    }
  }
}
