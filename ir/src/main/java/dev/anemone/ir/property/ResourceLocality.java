// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

/** Where the tasks of a vertex should run. */
public enum ResourceLocality implements VertexProperty {
  /** On or near the hosts that hold the data that the task reads. */
  NEAR_DATA,
  /** Wherever a slot is free. */
  ANYWHERE
}
