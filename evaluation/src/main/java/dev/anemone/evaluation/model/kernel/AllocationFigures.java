// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.evaluation.lab.report.Summary;
import java.util.List;

/**
 * The raw figures of the experiment, as they are written to a file.
 *
 * @param started when, in ISO 8601
 * @param machine that was measured on
 * @param loadBefore programs that ran or waited in the minute before; negative if not known
 * @param few records
 * @param many records
 * @param partitions that they went to
 * @param paths in the order in which they were measured
 */
record AllocationFigures(
    String started,
    Machine machine,
    double loadBefore,
    long few,
    long many,
    int partitions,
    List<PathFigures> paths) {

  /**
   * A path.
   *
   * @param label its name, with the transport where it has one
   * @param fewBytes allocated by all threads of a JVM for a shuffle of few records, in each run
   * @param manyBytes the same for many
   */
  record PathFigures(String label, List<Long> fewBytes, List<Long> manyBytes) {}

  /** Heap bytes for each record more, median of the runs. */
  double bytesPerRecord(PathFigures path) {
    double[] perRecord = new double[path.fewBytes().size()];
    for (int run = 0; run < perRecord.length; run++) {
      perRecord[run] =
          (path.manyBytes().get(run) - path.fewBytes().get(run)) / (double) (many - few);
    }
    return Summary.of(perRecord).median();
  }
}
