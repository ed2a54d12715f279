// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

/** The order in which a consumer task reads the records of a shuffle. */
public enum Order implements EdgeProperty {
  /** Any order; keys are not grouped. */
  NONE,
  /**
   * Grouped by key: all values of a key come together. A task reads its partitions in ascending
   * order, and the keys of a partition in the order of their encoded bytes, compared as unsigned.
   */
  BY_KEY
}
