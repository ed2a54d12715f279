// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import dev.anemone.ir.IREdge;
import dev.anemone.ir.property.Order;

/**
 * The ways in which records move from the tasks of one stage to those of another. Between two
 * stages there is only one; where edges differ, the last of this order keeps its direct way and the
 * others get a relay (see {@link TransferSeparation}): side inputs are small, sorted shuffles are
 * not.
 */
public enum Transfer {
  /** Every record to every task. */
  BROADCAST,
  /** Task i to task i, in the order in which they were written. */
  ONE_TO_ONE,
  /** Each record to one task, in any order. */
  SPREAD,
  /** Each record to the task of its key, grouped by key. */
  GROUPED;

  /** How the records of an edge move when its ends are in different stages. */
  public static Transfer of(IREdge edge) {
    return switch (edge.pattern()) {
      case ONE_TO_ONE -> ONE_TO_ONE;
      case BROADCAST -> BROADCAST;
      case SHUFFLE ->
          edge.property(Order.class).orElse(Order.NONE) == Order.BY_KEY ? GROUPED : SPREAD;
    };
  }
}
