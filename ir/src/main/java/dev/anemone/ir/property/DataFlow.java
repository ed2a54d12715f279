// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

/** When data moves from producer to consumer. */
public enum DataFlow implements EdgeProperty {
  /** The consumer starts when the producer has finished, and fetches. */
  PULL,
  /** Producer and consumer run together, and data moves as it is produced. */
  PUSH
}
