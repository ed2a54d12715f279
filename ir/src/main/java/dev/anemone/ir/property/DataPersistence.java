// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

/** What happens to the data of an edge once it has been read. */
public enum DataPersistence implements EdgeProperty {
  /** Stays until the job ends, so that a consumer task can be repeated. */
  KEEP,
  /** May go as soon as all consumers have read it; it is made again when one misses it later. */
  DISCARD
}
