// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.apache.beam.sdk.util.construction.PTransformTranslation.TEST_STREAM_TRANSFORM_URN;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.runners.TransformHierarchy.Node;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.reflect.DoFnSignatures;
import org.apache.beam.sdk.util.construction.External;
import org.apache.beam.sdk.util.construction.PTransformTranslation;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.apache.beam.sdk.values.TupleTag;

/**
 * Everything in the Beam model that this runner does not run yet: the one list of it. Transforms of
 * other languages are no longer of it where the module {@code portability} is.
 */
enum UnsupportedFeature {
  TEST_STREAM("a TestStream", node -> TEST_STREAM_TRANSFORM_URN.equals(urn(node))),
  UNBOUNDED_READ("an unbounded source", node -> node.getTransform() instanceof Read.Unbounded),
  CROSS_LANGUAGE(
      "a transform of another language, for which anemone-portability has to be on the class path",
      node -> node.getTransform() instanceof External.ExpandableTransform),
  STATE_IN_MERGING_WINDOWS(
      "state or timers in windows that merge, such as sessions",
      UnsupportedFeature::keepsStateInMergingWindows),
  /** One that does not say so may still have an end, which is seen when its restrictions are. */
  UNBOUNDED_SPLITTABLE_DOFN(
      "a splittable DoFn with unbounded output", UnsupportedFeature::declaresUnbounded),
  UNBOUNDED_COLLECTION("an unbounded PCollection", UnsupportedFeature::beginsUnbounded);

  private static final List<UnsupportedFeature> ALL = List.of(values());

  private final String description;

  @SuppressWarnings("ImmutableEnumChecker") // none of the predicates above has state
  private final Predicate<Node> uses;

  UnsupportedFeature(String description, Predicate<Node> uses) {
    this.description = description;
    this.uses = uses;
  }

  /** The feature in words, to follow "uses". */
  String description() {
    return description;
  }

  /** The first of these features that a transform itself uses, if any. */
  static Optional<UnsupportedFeature> usedBy(Node node) {
    return ALL.stream().filter(feature -> feature.isUsedBy(node)).findFirst();
  }

  /** Whether a transform itself uses this. */
  boolean isUsedBy(Node node) {
    return uses.test(node);
  }

  private static String urn(Node node) {
    return PTransformTranslation.urnForTransformOrNull(node.getTransform());
  }

  private static boolean declaresUnbounded(Node node) {
    if (!(node.getTransform() instanceof ParDo.MultiOutput<?, ?> parDo)) {
      return false;
    }
    Class<?> type = parDo.getFn().getClass();
    while (type != null && !type.isAnnotationPresent(DoFn.UnboundedPerElement.class)) {
      type = type.getSuperclass();
    }
    return type != null;
  }

  /** Beam has no rule for what becomes of the state of windows that merge, and so refuses it. */
  private static boolean keepsStateInMergingWindows(Node node) {
    if (!(node.getTransform() instanceof ParDo.MultiOutput<?, ?> parDo)
        || !DoFnSignatures.isStateful(parDo.getFn())) {
      return false;
    }
    Set<TupleTag<?>> sideInputs = parDo.getAdditionalInputs().keySet();
    return node.getInputs().entrySet().stream()
        .filter(input -> !sideInputs.contains(input.getKey()))
        .anyMatch(input -> !input.getValue().getWindowingStrategy().getWindowFn().isNonMerging());
  }

  /** Whether a primitive other than a DoFn makes unbounded output of bounded input. */
  private static boolean beginsUnbounded(Node node) {
    return !node.isCompositeNode()
        && !(node.getTransform() instanceof ParDo.MultiOutput<?, ?>)
        && node.getOutputs().values().stream()
            .anyMatch(output -> output.isBounded() == IsBounded.UNBOUNDED)
        && node.getInputs().values().stream()
            .noneMatch(input -> input.isBounded() == IsBounded.UNBOUNDED);
  }
}
