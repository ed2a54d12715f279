// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

/**
 * Whether the elements of one key that a shuffle brings may be divided among several consumer
 * tasks. A front end sets it; without it they may not.
 */
public enum Divisibility implements EdgeProperty {
  /** All elements of a key must come together. */
  WHOLE,
  /**
   * They may be divided, if each of the tasks gets all elements of the key that the other edges
   * into the same input bring, as for the sides of a join. A task must make the same of a key that
   * has no element in its share as if nobody had.
   */
  DIVISIBLE
}
