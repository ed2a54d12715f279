// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.diskreads;

import dev.anemone.evaluation.lab.report.Machine;
import java.util.List;
import java.util.SortedMap;

/**
 * The raw figures of the experiment, as they are written to a file.
 *
 * @param started when, in ISO 8601
 * @param machine that was measured on
 * @param bytesPerBlock what a producer has for a consumer, on average
 * @param runs in the order in which they ran
 */
record DiskReadsFigures(String started, Machine machine, long bytesPerBlock, List<Run> runs) {

  /**
   * One run.
   *
   * @param policy that it ran with
   * @param producers tasks that made records
   * @param consumers tasks that grouped them
   * @param shuffledBytes bytes of keys and values
   * @param wallSeconds of the whole process
   * @param reads of local files by the consumers
   * @param seeks those of them that did not go on where the one before had ended
   * @param readBytes bytes that they read
   * @param seeksBefore seeks of aggregation tasks, for what could not be pushed to them
   * @param pushedBytes bytes that went to aggregation tasks without a file
   * @param fallenBackBytes bytes that should have, and did not
   * @param edges all counters of all edges
   */
  record Run(
      String policy,
      int producers,
      int consumers,
      long shuffledBytes,
      double wallSeconds,
      long reads,
      long seeks,
      long readBytes,
      long seeksBefore,
      long pushedBytes,
      long fallenBackBytes,
      SortedMap<String, SortedMap<String, Long>> edges) {

    /** What every producer has for every consumer. */
    long blocks() {
      return (long) producers * consumers;
    }
  }
}
