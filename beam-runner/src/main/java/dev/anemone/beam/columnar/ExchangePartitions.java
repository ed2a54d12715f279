// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.options.ClusterOptions;
import dev.anemone.beam.options.DeployMode;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.options.OptionCheck;
import org.apache.beam.sdk.options.PipelineOptions;

/** Into how many partitions exchanges divide rows. */
final class ExchangePartitions {

  /** Of a task: partitions are spread over tasks by a hash, and few would be spread unevenly. */
  private static final int PER_TASK = 4;

  /** Tasks of a cluster of which nobody says how many it has. */
  private static final int UNKNOWN_TASKS = 8;

  private ExchangePartitions() {}

  /** What is said, or some for each task that reads an exchange. */
  static int of(PipelineOptions options) {
    int given =
        OptionCheck.atLeast(
            0,
            "exchangePartitions",
            options.as(NemoPipelineOptions.class).getExchangePartitions(),
            "partitions of an exchange, 0 for the default");
    return given > 0 ? given : Math.multiplyExact(PER_TASK, tasks(options));
  }

  private static int tasks(PipelineOptions options) {
    NemoPipelineOptions nemo = options.as(NemoPipelineOptions.class);
    if (nemo.getParallelism() > 0) {
      return nemo.getParallelism();
    }
    ClusterOptions cluster = options.as(NemoPipelineOptions.class);
    if (DeployMode.of(cluster) == DeployMode.LOCAL) {
      return Math.max(1, nemo.getSlots());
    }
    return cluster.getExecutors() == null ? UNKNOWN_TASKS : Math.max(1, cluster.getExecutors());
  }
}
