// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.serialization;

import dev.anemone.ir.IRDag;

/**
 * Graphs as bytes. What it reads equals what was written and iterates in the same order, but has no
 * {@link IRDag#edits()}: how a graph came about stays with the one who made it. Thread-safe.
 */
public final class IRSerializer {

  private final PlanSerializer plans = new PlanSerializer();

  public byte[] write(IRDag dag) {
    return plans.write(dag);
  }

  /**
   * The graph that was written.
   *
   * @throws PlanFormatException when the bytes are cut off or changed, or hold something else
   */
  public IRDag read(byte[] bytes) {
    return plans.read(bytes, IRDag.class);
  }
}
