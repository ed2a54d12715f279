// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import dev.anemone.evaluation.lab.workload.SyntheticRecords.RecordTotals;
import java.io.Serializable;

/**
 * Records made from their numbers, so that any task can make any range of them. Each has {@value
 * SyntheticRecords#RECORD_BYTES} bytes of key and value. Thread-safe.
 */
public interface NumberedRecords extends Serializable {

  /** How many there are, numbered from 0. */
  long count();

  /** Makes the key of a record, a new array. */
  byte[] key(long record);

  /** Makes the value of a record, a new array. */
  byte[] value(long record);

  /** What a right shuffle of all records brings; makes them all. */
  RecordTotals totals();
}
