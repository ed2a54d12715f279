// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolgroupby;

import dev.anemone.evaluation.lab.report.Machine;
import java.util.List;

/**
 * The raw figures of the experiment, as they are written to a file.
 *
 * @param started when, in ISO 8601
 * @param machine that was measured on
 * @param loadBefore programs that ran or waited in the minute before; negative if not known
 * @param groupByBytes that were grouped
 * @param broadcastBytes of the side input's values
 * @param transport to the pool
 * @param runs in the order in which they ran
 */
record GroupByFigures(
    String started,
    Machine machine,
    double loadBefore,
    long groupByBytes,
    long broadcastBytes,
    String transport,
    List<Run> runs) {

  /**
   * A run.
   *
   * @param program what ran
   * @param side the way of its bytes
   * @param seconds of the process
   * @param processorSeconds of the process, outside and inside the kernel
   * @param peakResidentBytes the most RAM that it had
   */
  record Run(
      String program,
      String side,
      double seconds,
      double processorSeconds,
      long peakResidentBytes) {}

  /** The runs of a program on a side. */
  List<Run> of(String program, String side) {
    return runs.stream()
        .filter(run -> run.program.equals(program) && run.side.equals(side))
        .toList();
  }
}
