// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.KV;

/** Puts the number of its range before each record. */
final class KeyByRangeFn extends DoFn<byte[], KV<Integer, byte[]>> {
  private static final long serialVersionUID = 1;

  private final KeyRanges ranges;

  /** The numbers as objects, which would otherwise be made anew for each record. */
  private transient Integer[] numbers;

  KeyByRangeFn(KeyRanges ranges) {
    this.ranges = ranges;
  }

  @Setup
  public void setup() {
    numbers = new Integer[ranges.count()];
    for (int range = 0; range < numbers.length; range++) {
      numbers[range] = range;
    }
  }

  @ProcessElement
  public void processElement(
      @Element byte[] record, OutputReceiver<KV<Integer, byte[]>> keyedRecords) {
    keyedRecords.output(KV.of(numbers[ranges.rangeOf(record)], record));
  }
}
