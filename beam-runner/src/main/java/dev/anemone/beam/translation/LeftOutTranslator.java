// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import org.apache.beam.sdk.runners.AppliedPTransform;

/** What is {@link LeftOut} becomes nothing, since nobody reads what it makes. */
final class LeftOutTranslator implements TransformTranslator {

  @Override
  public void translate(AppliedPTransform<?, ?, ?> application, TranslationContext context) {}
}
