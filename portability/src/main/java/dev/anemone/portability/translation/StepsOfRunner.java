// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.translation;

import static org.apache.beam.sdk.util.construction.PTransformTranslation.REDISTRIBUTE_ARBITRARILY_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.REDISTRIBUTE_BY_KEY_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.RESHUFFLE_URN;

import dev.anemone.beam.spec.Urns;
import java.util.Set;
import org.apache.beam.model.pipeline.v1.RunnerApi.PTransform;
import org.apache.beam.sdk.util.construction.NativeTransforms.IsNativeTransform;

/**
 * Says to Beam's fuser, which finds it by the {@link java.util.ServiceLoader}, that transforms that
 * spread elements have no parts, nor has what keeps them for later attempts.
 */
public final class StepsOfRunner implements IsNativeTransform {

  /** What spreads elements over tasks. */
  static final Set<String> SPREAD =
      Set.of(RESHUFFLE_URN, REDISTRIBUTE_BY_KEY_URN, REDISTRIBUTE_ARBITRARILY_URN);

  @Override
  public boolean test(PTransform transform) {
    String urn = transform.getSpec().getUrn();
    // Where its parts are there, somebody else runs them.
    return (SPREAD.contains(urn) || urn.equals(Urns.STABLE_INPUT))
        && transform.getSubtransformsCount() == 0;
  }
}
