// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.diskbatching;

import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.evaluation.lab.report.Summary;
import java.util.List;
import java.util.SortedMap;

/**
 * The raw figures of the experiment, as they are written to a file.
 *
 * @param started when, in ISO 8601
 * @param machine that was measured on
 * @param producers tasks that made records
 * @param consumers tasks that grouped them
 * @param shuffledBytes bytes of keys and values
 * @param jvmOptions that every JVM got
 * @param readsPerSecond that the throttle was set to
 * @param throttledRandomReads of 8 KB per second that one process did under the throttle
 * @param freeRandomReads of 8 KB per second that one process did without it
 * @param runs in the order in which they ran
 */
record DiskBatchingFigures(
    String started,
    Machine machine,
    int producers,
    int consumers,
    long shuffledBytes,
    List<String> jvmOptions,
    int readsPerSecond,
    double throttledRandomReads,
    double freeRandomReads,
    List<Run> runs) {

  /**
   * One run.
   *
   * @param policy that it ran with
   * @param throttled whether the disk was slow
   * @param round from 1
   * @param loadBefore of the machine; negative if not known
   * @param wallSeconds of the whole process
   * @param userCpuSeconds outside the kernel
   * @param peakResidentBytes the most RAM that the process had
   * @param seeks reads of the consumers that did not go on where the one before had ended
   * @param readBytes bytes that consumers read of local files
   * @param edges all counters of all edges
   */
  record Run(
      String policy,
      boolean throttled,
      int round,
      double loadBefore,
      double wallSeconds,
      double userCpuSeconds,
      long peakResidentBytes,
      long seeks,
      long readBytes,
      SortedMap<String, SortedMap<String, Long>> edges) {}

  /** The runs of a policy under one condition. */
  List<Run> of(String policy, boolean throttled) {
    return runs.stream()
        .filter(run -> run.policy().equals(policy) && run.throttled() == throttled)
        .toList();
  }

  /** The times of runs, in seconds. */
  static Summary seconds(List<Run> runs) {
    return Summary.of(runs.stream().mapToDouble(Run::wallSeconds).toArray());
  }
}
