// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

import java.util.Objects;

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

  /**
   * Says that the vertex is to run as fewer tasks when its shuffles by key turn out to bring
   * little: all producer tasks are measured, none waits for it, and a run-time pass gets a {@link
   * dev.anemone.ir.message.ShuffleSizes} before the first task of the vertex starts. Vertices that
   * one-to-one edges join have it in common, or none of them has.
   *
   * @param messageId names the message
   */
  public record Coalescing(String messageId) implements VertexProperty {

    public Coalescing {
      Objects.requireNonNull(messageId, "messageId");
    }
  }
}
