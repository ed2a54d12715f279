// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import java.util.Objects;

/**
 * The tasks of {@code to} must not start before {@code from} has delivered its message and the
 * run-time passes that take it have run. No data flows.
 *
 * @param from id of a {@link MetricAggregationVertex}
 * @param to id of the vertex that waits
 */
public record ControlDependency(String from, String to) {

  public ControlDependency {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
  }
}
