// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.translation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.beam.model.pipeline.v1.RunnerApi.Components;
import org.apache.beam.model.pipeline.v1.RunnerApi.PTransform;
import org.apache.beam.model.pipeline.v1.RunnerApi.Pipeline;

/**
 * Gives steps their names as ids: harnesses count metrics by ids, and programs of Java ask for
 * those of a step by its name. Stateless.
 */
final class NamedSteps {

  private NamedSteps() {}

  /** The pipeline; a step whose name another one has keeps its id. */
  static Pipeline in(Pipeline pipeline) {
    Map<String, PTransform> steps = pipeline.getComponents().getTransformsMap();
    Map<String, String> names = names(steps);
    Components.Builder components = pipeline.getComponents().toBuilder().clearTransforms();
    steps.forEach(
        (id, step) ->
            components.putTransforms(
                names.get(id),
                step.toBuilder()
                    .clearSubtransforms()
                    .addAllSubtransforms(named(step.getSubtransformsList(), names))
                    .build()));
    return pipeline.toBuilder()
        .setComponents(components)
        .clearRootTransformIds()
        .addAllRootTransformIds(named(pipeline.getRootTransformIdsList(), names))
        .build();
  }

  private static Map<String, String> names(Map<String, PTransform> steps) {
    Set<String> taken = new HashSet<>(steps.keySet());
    Map<String, String> names = new HashMap<>();
    steps.forEach(
        (id, step) -> {
          String name = step.getUniqueName();
          names.put(id, !name.isEmpty() && taken.add(name) ? name : id);
        });
    return names;
  }

  private static List<String> named(List<String> ids, Map<String, String> names) {
    return ids.stream().map(id -> names.getOrDefault(id, id)).toList();
  }
}
