// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import static org.apache.beam.sdk.util.construction.PTransformTranslation.ASSIGN_WINDOWS_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.COMBINE_GROUPED_VALUES_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.COMBINE_PER_KEY_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.CREATE_VIEW_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.FLATTEN_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.GROUP_BY_KEY_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.IMPULSE_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.PAR_DO_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.READ_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.REDISTRIBUTE_ARBITRARILY_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.REDISTRIBUTE_BY_KEY_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.RESHUFFLE_URN;

import dev.anemone.beam.ndp.BatchTransform;
import java.util.Map;
import java.util.Optional;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.util.construction.PTransformTranslation;

/** All translators, by the URN of what they translate. */
final class TransformTranslators {

  private static final TransformTranslator RESHUFFLE = new ReshuffleTranslator();
  private static final TransformTranslator BATCH_TRANSFORM = new BatchTransformTranslator();
  private static final TransformTranslator LEFT_OUT = new LeftOutTranslator();
  private static final TransformTranslator RESHUFFLE_BY_KEY = new ReshuffleByKeyTranslator();

  // Beam wants runners to read by splittable DoFns and to see views as side inputs only; sources
  // that
  // split before the job starts are worth more here, and views are in every pipeline.
  @SuppressWarnings("deprecation")
  private static final Map<String, TransformTranslator> BY_URN =
      Map.ofEntries(
          Map.entry(IMPULSE_TRANSFORM_URN, new ImpulseTranslator()),
          Map.entry(READ_TRANSFORM_URN, new ReadTranslator()),
          Map.entry(PAR_DO_TRANSFORM_URN, new ParDoTranslator()),
          Map.entry(GROUP_BY_KEY_TRANSFORM_URN, new GroupByKeyTranslator()),
          Map.entry(COMBINE_PER_KEY_TRANSFORM_URN, new CombinePerKeyTranslator()),
          Map.entry(COMBINE_GROUPED_VALUES_TRANSFORM_URN, new CombineGroupedValuesTranslator()),
          Map.entry(FLATTEN_TRANSFORM_URN, new FlattenTranslator()),
          Map.entry(ASSIGN_WINDOWS_TRANSFORM_URN, new WindowTranslator()),
          Map.entry(CREATE_VIEW_TRANSFORM_URN, new CreateViewTranslator()),
          Map.entry(RESHUFFLE_URN, RESHUFFLE_BY_KEY),
          Map.entry(REDISTRIBUTE_BY_KEY_URN, RESHUFFLE_BY_KEY),
          Map.entry(REDISTRIBUTE_ARBITRARILY_URN, RESHUFFLE));

  private TransformTranslators() {}

  /** The translator for this application of a transform, if there is one. */
  static Optional<TransformTranslator> find(AppliedPTransform<?, ?, ?> application) {
    PTransform<?, ?> transform = application.getTransform();
    if (transform instanceof Reshuffle.ViaRandomKey) {
      // Has no URN of its own. The random keys would only be thrown away again.
      return Optional.of(RESHUFFLE);
    }
    if (transform instanceof BatchTransform) {
      return Optional.of(BATCH_TRANSFORM);
    }
    if (transform instanceof LeftOut) {
      return Optional.of(LEFT_OUT);
    }
    return Optional.ofNullable(PTransformTranslation.urnForTransformOrNull(transform))
        .map(BY_URN::get)
        .filter(translator -> translator.canTranslate(application));
  }
}
