// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.translation;

import static org.apache.beam.sdk.util.construction.PTransformTranslation.REDISTRIBUTE_ARBITRARILY_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.REDISTRIBUTE_BY_KEY_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.RESHUFFLE_URN;

import java.util.Set;
import org.apache.beam.model.pipeline.v1.RunnerApi.PTransform;
import org.apache.beam.sdk.util.construction.NativeTransforms.IsNativeTransform;

/**
 * Says to Beam's fuser, which finds it by the {@link java.util.ServiceLoader}, that transforms that
 * spread elements have no parts.
 */
public final class ReshufflesOfRunner implements IsNativeTransform {

  private static final Set<String> URNS =
      Set.of(RESHUFFLE_URN, REDISTRIBUTE_BY_KEY_URN, REDISTRIBUTE_ARBITRARILY_URN);

  @Override
  public boolean test(PTransform transform) {
    // Where its parts are there, somebody else runs them.
    return URNS.contains(transform.getSpec().getUrn()) && transform.getSubtransformsCount() == 0;
  }
}
