// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

/** The kind of container that the tasks of a vertex should run in. */
public enum ResourcePriority implements VertexProperty {
  /** Any container. */
  NONE,
  /** Containers that may be taken away at any time. */
  TRANSIENT,
  /** Containers that stay. */
  RESERVED
}
