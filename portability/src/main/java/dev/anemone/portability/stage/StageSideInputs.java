// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import dev.anemone.runtime.spi.OperatorContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.TypeCase;
import org.apache.beam.runners.fnexecution.control.StageBundleFactory;
import org.apache.beam.runners.fnexecution.state.StateRequestHandler;
import org.apache.beam.runners.fnexecution.state.StateRequestHandlers;
import org.apache.beam.runners.fnexecution.translation.BatchSideInputHandlerFactory;
import org.apache.beam.runners.fnexecution.translation.BatchSideInputHandlerFactory.SideInputGetter;
import org.apache.beam.sdk.util.construction.graph.ExecutableStage;

/**
 * The side inputs of a stage, as harnesses ask for them. They lie in the heap, once for all tasks
 * of the job in this JVM.
 */
final class StageSideInputs {

  /** The kinds of requests for them. */
  static final List<TypeCase> TYPES =
      List.of(
          TypeCase.ITERABLE_SIDE_INPUT,
          TypeCase.MULTIMAP_SIDE_INPUT,
          TypeCase.MULTIMAP_KEYS_SIDE_INPUT,
          TypeCase.MULTIMAP_KEYS_VALUES_SIDE_INPUT);

  private StageSideInputs() {}

  /** What answers the stage's requests; thread-safe. Reads the side inputs if nobody has. */
  static StateRequestHandler of(
      ExecutableStage stage, StageBundleFactory bundles, OperatorContext context) throws Exception {
    return context.shared(
        "portable-side-inputs " + context.vertexId(),
        () -> {
          Map<String, List<Object>> elements = new HashMap<>();
          for (String collection : context.sideInputs()) {
            List<Object> list = new ArrayList<>();
            context.readSideInput(collection, (element, bytes) -> list.add(element));
            elements.put(collection, list);
          }
          return StateRequestHandlers.forSideInputHandlerFactory(
              bundles.getProcessBundleDescriptor().getSideInputSpecs(),
              BatchSideInputHandlerFactory.forStage(stage, getter(elements)));
        });
  }

  private static SideInputGetter getter(Map<String, List<Object>> elements) {
    return new SideInputGetter() {
      @Override
      @SuppressWarnings("unchecked") // the elements are those of the collection
      public <T> List<T> getSideInput(String collection) {
        return (List<T>) elements.getOrDefault(collection, List.of());
      }
    };
  }
}
