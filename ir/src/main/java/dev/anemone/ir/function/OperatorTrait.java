// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.function;

/** What passes may assume of an operator's function. A front end sets a trait only when sure. */
public enum OperatorTrait {
  /**
   * Equal inputs give equal outputs and nothing else happens, so that two vertices with the same
   * function and inputs may become one.
   */
  PURE,
  /** The storage side can run it, see {@link dev.anemone.ir.edit.CutIntoSource}. */
  PUSHABLE,
  /**
   * Its outputs only describe work, such as what to read: how much data comes of them is unknown,
   * however little they are. An operator that reads a shuffle to spread work has it, too.
   */
  DIVIDES_WORK,
  /**
   * A task that runs again makes what this reads in the same order again, so that records can be
   * dealt out by their place in that order.
   */
  READS_REPEATABLE_ORDER
}
