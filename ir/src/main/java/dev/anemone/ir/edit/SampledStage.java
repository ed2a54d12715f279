// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.edit.EditPreconditions.require;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A stage of which {@link InsertSampling} runs a sample of the tasks ahead.
 *
 * @param vertices ids of the vertices to clone, joined by ONE_TO_ONE edges, each of which leads to
 *     a measured shuffle
 * @param sample indices of tasks of the stage, ascending and distinct
 * @param held whether the stage's other tasks wait for the message
 */
public record SampledStage(Set<String> vertices, List<Integer> sample, boolean held) {

  /**
   * Checks the sample.
   *
   * @throws IllegalArgumentException when it is not ascending and distinct, or there is no vertex
   */
  public SampledStage {
    // Sorted, so that the same edit always adds vertices and edges in the same order.
    vertices = Collections.unmodifiableSet(new TreeSet<>(vertices));
    sample = List.copyOf(sample);
    require(!vertices.isEmpty(), "a sampled stage needs at least one vertex");
    require(!sample.isEmpty(), "the sample of stage " + vertices + " needs at least one task");
    for (int k = 0; k < sample.size(); k++) {
      require(
          sample.get(k) >= 0 && (k == 0 || sample.get(k - 1) < sample.get(k)),
          "the sample of stage "
              + vertices
              + " needs ascending, distinct task indices, but is "
              + sample);
    }
  }
}
