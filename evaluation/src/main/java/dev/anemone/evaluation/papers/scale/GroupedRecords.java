// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.scale;

import dev.anemone.evaluation.lab.workload.RecordGrouping;
import dev.anemone.evaluation.lab.workload.SyntheticRecords;
import dev.anemone.evaluation.lab.workload.ZipfRecords;

/**
 * What one job groups.
 *
 * @param bytes of keys and values
 * @param tasks that make records, and as many that group them
 * @param keys that may be drawn
 * @param exponent of Zipf's law by which they are
 */
record GroupedRecords(long bytes, int tasks, int keys, double exponent) {

  long count() {
    return Math.max(1, bytes / SyntheticRecords.RECORD_BYTES);
  }

  ZipfRecords records() {
    return RecordGrouping.records(count(), keys, exponent);
  }

  /** How many times the mean the busiest of the grouping tasks has to read at the least. */
  double leastMaxToMean() {
    return Math.max(1, tasks * records().largestShare());
  }
}
