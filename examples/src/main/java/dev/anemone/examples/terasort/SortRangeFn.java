// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import java.io.IOException;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.KV;

/**
 * Sorts the records of a range in memory and writes them to a file with a name of its own. A task
 * that is tried again, or runs twice, writes another file; which one counts is told by the output.
 */
final class SortRangeFn extends DoFn<KV<Integer, Iterable<byte[]>>, SortedRange> {
  private static final long serialVersionUID = 1;

  private final PartFiles parts;
  private final int maximumRecords;
  private transient RangeSorter sorter;

  /**
   * Sorts ranges.
   *
   * @param maximumRecords how many records a range may have
   */
  SortRangeFn(PartFiles parts, int maximumRecords) {
    this.parts = parts;
    this.maximumRecords = maximumRecords;
  }

  @StartBundle
  public void startBundle() {
    sorter = new RangeSorter(maximumRecords);
  }

  /**
   * Sorts and writes a range.
   *
   * @throws IllegalStateException if the range has more records than can be sorted in memory
   * @throws IOException if the file cannot be written
   */
  @ProcessElement
  public void processElement(
      @Element KV<Integer, Iterable<byte[]>> range, OutputReceiver<SortedRange> sortedRanges)
      throws IOException {
    sorter.clear();
    for (byte[] record : range.getValue()) {
      if (!sorter.add(record)) {
        throw new IllegalStateException(
            "Range "
                + range.getKey()
                + " has more than the "
                + maximumRecords
                + " records that can be sorted in memory; one of its keys is "
                + TeraKey.at(record, 0)
                + ". Give a larger number of ranges, such as --ranges=1000; records that have the"
                + " same key are never parted.");
      }
    }
    ResourceId file = parts.unfinished(range.getKey());
    try (RecordWriter writer = new RecordWriter(file)) {
      sorter.write(writer);
    }
    sortedRanges.output(new SortedRange(range.getKey(), file, sorter.records()));
  }

  @FinishBundle
  public void finishBundle() {
    sorter = null;
  }
}
