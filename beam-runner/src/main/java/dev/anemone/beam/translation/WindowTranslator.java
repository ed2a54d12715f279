// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.beam.spec.AssignWindowsSpec;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.Urns;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.function.OperatorTrait;
import java.util.Set;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.transforms.windowing.Window;

/** {@code Window.into} becomes an operator that replaces each element's windows. */
final class WindowTranslator implements TransformTranslator {

  @Override
  public void translate(AppliedPTransform<?, ?, ?> application, TranslationContext context) {
    String name = application.getFullName();
    Window.Assign<?> assign = (Window.Assign<?>) application.getTransform();
    String id = context.newVertexId();
    context.add(
        OperatorVertex.of(
                id,
                name,
                BeamSpecs.toStepSpec(
                    Urns.ASSIGN_WINDOWS, name, new AssignWindowsSpec(assign.getWindowFn())))
            // Beam requires window functions to be deterministic.
            .withTraits(Set.of(OperatorTrait.PURE)));
    context.connectMain(context.inputOf(Ports.main(application)), id);
    context.produces(Ports.output(application), id, IREdge.MAIN);
    if (context.isInRepeatableOrder(Ports.main(application))) {
      context.madeInRepeatableOrder(Ports.output(application));
    }
  }
}
