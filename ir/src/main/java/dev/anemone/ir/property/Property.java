// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

/**
 * One decision on how a vertex or an edge is executed; this package has one class per property.
 * Immutable. A vertex or edge has at most one value per {@link #type()}.
 */
public sealed interface Property permits VertexProperty, EdgeProperty {

  /** The class under which the value is kept: its own, unless the property has several forms. */
  default Class<? extends Property> type() {
    return getClass();
  }
}
