// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import dev.anemone.evaluation.lab.report.Machine;
import java.util.List;

/**
 * The raw figures of a comparison, as they are written to a file.
 *
 * @param started when, in ISO 8601
 * @param machine that was measured on
 * @param beamVersion of all runners
 * @param scale of the data
 * @param jvmOptions that every run got
 * @param classArchives whether every runner's JVMs map their classes from an archive of its own
 * @param runs in the order in which they ran
 */
record TpchFigures(
    String started,
    Machine machine,
    String beamVersion,
    double scale,
    List<String> jvmOptions,
    boolean classArchives,
    List<Run> runs) {

  /**
   * One run of one query.
   *
   * @param side the runner
   * @param round from 1
   * @param loadBefore of the machine; negative if not known
   * @param failure empty for a run that gave the answer of the first run of its query
   * @param wallSeconds from before the start of the process to after its end
   * @param userCpuSeconds outside the kernel
   * @param peakResidentBytes the most RAM that the process had
   */
  record Run(
      int query,
      String side,
      int round,
      double loadBefore,
      String failure,
      double wallSeconds,
      double userCpuSeconds,
      long peakResidentBytes) {

    boolean succeeded() {
      return failure.isEmpty();
    }
  }
}
