// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.ir.IRDag;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;

/**
 * What a pipeline becomes.
 *
 * @param dag the pipeline as a graph
 * @param metrics what sources counted while they were split
 * @param files of this machine that its tasks read, by the names by which they know them
 */
public record Translation(IRDag dag, MetricsContainerStepMap metrics, Map<String, Path> files) {

  public Translation {
    Objects.requireNonNull(dag, "dag");
    Objects.requireNonNull(metrics, "metrics");
    files = Map.copyOf(files);
  }

  /** A pipeline whose tasks read no files of this machine, but for what sources read. */
  public Translation(IRDag dag, MetricsContainerStepMap metrics) {
    this(dag, metrics, Map.of());
  }
}
