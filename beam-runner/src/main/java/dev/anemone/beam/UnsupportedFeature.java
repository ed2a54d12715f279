package dev.anemone.beam;

import static org.apache.beam.sdk.util.construction.PTransformTranslation.TEST_STREAM_TRANSFORM_URN;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.runners.TransformHierarchy.Node;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.reflect.DoFnSignature;
import org.apache.beam.sdk.transforms.reflect.DoFnSignature.Parameter.BundleFinalizerParameter;
import org.apache.beam.sdk.transforms.reflect.DoFnSignatures;
import org.apache.beam.sdk.util.construction.External;
import org.apache.beam.sdk.util.construction.PTransformTranslation;
import org.apache.beam.sdk.values.PCollection.IsBounded;

/** Everything in the Beam model that this runner does not run yet: the one list of it. */
enum UnsupportedFeature {
  TEST_STREAM("a TestStream", node -> TEST_STREAM_TRANSFORM_URN.equals(urn(node))),
  UNBOUNDED_READ("an unbounded source", node -> node.getTransform() instanceof Read.Unbounded),
  CROSS_LANGUAGE(
      "a transform of another language",
      node -> node.getTransform() instanceof External.ExpandableTransform),
  TIME_SORTED_INPUT(
      "@RequiresTimeSortedInput",
      doFn(signature -> signature.processElement().requiresTimeSortedInput())),
  STATE("state", doFn(DoFnSignature::usesState)),
  TIMERS("timers", doFn(DoFnSignature::usesTimers)),
  WINDOW_EXPIRATION(
      "@OnWindowExpiration", doFn(signature -> signature.onWindowExpiration() != null)),
  UNBOUNDED_SPLITTABLE_DOFN(
      "a splittable DoFn with unbounded output",
      doFn(
          signature ->
              signature.processElement().isSplittable()
                  && signature.isBoundedPerElement() == IsBounded.UNBOUNDED)),
  /** Beam's own expansion of bounded splittable DoFns has none. */
  SPLITTABLE_BUNDLE_FINALIZER(
      "a bundle finalizer in a splittable DoFn",
      doFn(
          signature ->
              signature.processElement().isSplittable()
                  && signature.processElement().extraParameters().stream()
                      .anyMatch(BundleFinalizerParameter.class::isInstance))),
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
    return ALL.stream().filter(feature -> feature.uses.test(node)).findFirst();
  }

  private static String urn(Node node) {
    return PTransformTranslation.urnForTransformOrNull(node.getTransform());
  }

  private static Predicate<Node> doFn(Predicate<DoFnSignature> uses) {
    return node -> {
      PTransform<?, ?> transform = node.getTransform();
      if (!(transform instanceof ParDo.MultiOutput<?, ?> parDo)) {
        return false;
      }
      DoFn<?, ?> fn = parDo.getFn();
      return uses.test(DoFnSignatures.getSignature(fn.getClass()));
    };
  }

  /** Whether a primitive makes unbounded output of bounded input. */
  private static boolean beginsUnbounded(Node node) {
    return !node.isCompositeNode()
        && node.getOutputs().values().stream()
            .anyMatch(output -> output.isBounded() == IsBounded.UNBOUNDED)
        && node.getInputs().values().stream()
            .noneMatch(input -> input.isBounded() == IsBounded.UNBOUNDED);
  }
}
