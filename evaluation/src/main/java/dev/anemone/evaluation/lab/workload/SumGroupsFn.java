// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import java.util.zip.CRC32C;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.KV;

/** Adds groups of records up to {@link RecordTotals}, in counters of these names. */
final class SumGroupsFn extends DoFn<KV<byte[], Iterable<byte[]>>, Void> {
  static final String RECORDS = "records";
  static final String GROUPS = "groups";
  static final String CHECKSUM = "checksum";

  private static final long serialVersionUID = 1;

  private final Counter recordCounter = Metrics.counter(SumGroupsFn.class, RECORDS);
  private final Counter groupCounter = Metrics.counter(SumGroupsFn.class, GROUPS);
  private final Counter checksumCounter = Metrics.counter(SumGroupsFn.class, CHECKSUM);

  private transient CRC32C crc;
  private transient long records;
  private transient long groups;
  private transient long checksum;

  /** Begins to count. */
  @StartBundle
  public void start() {
    crc = new CRC32C();
    records = 0;
    groups = 0;
    checksum = 0;
  }

  /** Counts a group. */
  @ProcessElement
  public void sum(@Element KV<byte[], Iterable<byte[]>> group) {
    groups++;
    for (byte[] value : group.getValue()) {
      records++;
      checksum += SyntheticRecords.checksum(crc, group.getKey(), value);
    }
  }

  /** Once per bundle, since a counter costs more than the sum of a record. */
  @FinishBundle
  public void count() {
    recordCounter.inc(records);
    groupCounter.inc(groups);
    checksumCounter.inc(checksum);
  }
}
