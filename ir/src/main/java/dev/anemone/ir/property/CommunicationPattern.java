// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

/** Which consumer tasks read what a producer task writes. */
public enum CommunicationPattern implements EdgeProperty {
  /** Consumer task i reads producer task i; both ends have equal parallelism. */
  ONE_TO_ONE,
  /** Every consumer task reads all of every producer task. */
  BROADCAST,
  /** Every consumer task reads its partition of every producer task. */
  SHUFFLE
}
