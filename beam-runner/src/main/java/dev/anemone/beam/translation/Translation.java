// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.ir.IRDag;
import java.util.Objects;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;

/**
 * What a pipeline becomes.
 *
 * @param dag the pipeline as a graph
 * @param metrics what sources counted while they were split
 */
public record Translation(IRDag dag, MetricsContainerStepMap metrics) {

  public Translation {
    Objects.requireNonNull(dag, "dag");
    Objects.requireNonNull(metrics, "metrics");
  }
}
