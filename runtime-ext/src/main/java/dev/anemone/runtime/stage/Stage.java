// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import dev.anemone.ir.IRVertex;
import java.util.List;
import java.util.Objects;

/**
 * Vertices whose tasks run fused: task i of the stage runs task i of each of them, by direct calls.
 *
 * @param name unique in its graph
 * @param parallelism number of tasks
 * @param vertices the vertices, every producer before its consumers
 */
public record Stage(String name, int parallelism, List<IRVertex> vertices) {

  public Stage {
    Objects.requireNonNull(name, "name");
    vertices = List.copyOf(vertices);
  }
}
