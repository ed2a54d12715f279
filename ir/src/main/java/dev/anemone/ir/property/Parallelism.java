// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

/**
 * The number of tasks of a vertex.
 *
 * @param tasks at least 1
 */
public record Parallelism(int tasks) implements VertexProperty {

  public Parallelism {
    if (tasks < 1) {
      throw new IllegalArgumentException("parallelism must be at least 1, was " + tasks);
    }
  }
}
