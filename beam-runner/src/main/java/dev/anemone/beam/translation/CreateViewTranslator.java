// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import org.apache.beam.sdk.runners.AppliedPTransform;

/**
 * {@code CreatePCollectionView} becomes nothing: a side input is read from what makes the view's
 * collection.
 */
final class CreateViewTranslator implements TransformTranslator {

  @Override
  public void translate(AppliedPTransform<?, ?, ?> application, TranslationContext context) {
    context.produces(Ports.output(application), context.producersOf(Ports.main(application)));
  }
}
