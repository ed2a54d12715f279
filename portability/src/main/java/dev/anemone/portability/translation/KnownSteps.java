// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.translation;

import static org.apache.beam.sdk.util.construction.PTransformTranslation.ASSIGN_WINDOWS_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.COMBINE_PER_KEY_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.FLATTEN_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.GROUP_BY_KEY_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.IMPULSE_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.MAP_WINDOWS_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.PAR_DO_TRANSFORM_URN;

import dev.anemone.beam.options.InvalidPipelineException;
import java.util.Set;
import org.apache.beam.model.pipeline.v1.RunnerApi.PTransform;
import org.apache.beam.sdk.util.construction.PTransformTranslation;

/**
 * Refuses steps without parts that neither the runner nor Beam's fuser knows: the fuser would leave
 * them out, and with them what they make. Stateless.
 */
final class KnownSteps {

  @SuppressWarnings("deprecation") // Java's SDK still writes them
  private static final Set<String> KNOWN =
      Set.of(
          PAR_DO_TRANSFORM_URN,
          FLATTEN_TRANSFORM_URN,
          GROUP_BY_KEY_TRANSFORM_URN,
          IMPULSE_TRANSFORM_URN,
          ASSIGN_WINDOWS_TRANSFORM_URN,
          MAP_WINDOWS_TRANSFORM_URN,
          PTransformTranslation.READ_TRANSFORM_URN,
          PTransformTranslation.CREATE_VIEW_TRANSFORM_URN,
          COMBINE_PER_KEY_TRANSFORM_URN);

  private KnownSteps() {}

  /**
   * Checks a step.
   *
   * @throws InvalidPipelineException names the step and what it is
   */
  static void check(PTransform step) {
    String urn = step.getSpec().getUrn();
    boolean hasParts = step.getSubtransformsCount() > 0;
    // A composite without parts hands on what it gets.
    boolean makesSomething =
        !step.getInputsMap().values().containsAll(step.getOutputsMap().values());
    if (!hasParts
        && makesSomething
        && !KNOWN.contains(urn)
        && !StepsOfRunner.SPREAD.contains(urn)
        && !urn.startsWith("beam:transform:combine_")) {
      throw new InvalidPipelineException(
          "Step '"
              + step.getUniqueName()
              + "' is a transform that NemoRunner does not know: '"
              + urn
              + "'. Express it with ParDo, GroupByKey, Combine, Flatten and bounded reads, or run"
              + " the pipeline on another runner.");
    }
  }
}
