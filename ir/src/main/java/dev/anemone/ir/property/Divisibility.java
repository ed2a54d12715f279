// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

import java.util.Objects;

/**
 * Whether the elements of one key that a shuffle brings may be divided among several consumer
 * tasks. A front end sets it, or a pass that knows what the consumer does with them; without it
 * they may not.
 */
public enum Divisibility implements EdgeProperty {
  /** All elements of a key must come together. */
  WHOLE,
  /**
   * They may be divided, if each of the tasks gets all elements of the key that the other edges
   * into the same input bring, as for the sides of a join. A task must make the same of a key that
   * has no element in its share as if nobody had.
   */
  DIVISIBLE;

  /**
   * Says of a vertex with a query on partitions that it is decided while the job runs which of the
   * sides that it joins is divided among all of its tasks, each of which reads the others whole:
   * its shuffles by key are measured in all producer tasks, of which none waits for it, and a
   * run-time pass gets a {@link dev.anemone.ir.message.ShuffleSizes} before the first task of the
   * vertex starts.
   *
   * @param messageId names the message, which is that of {@link Parallelism.Coalescing} where the
   *     vertex has both
   */
  public record Measured(String messageId) implements VertexProperty {

    public Measured {
      Objects.requireNonNull(messageId, "messageId");
    }
  }
}
