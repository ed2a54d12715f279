// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import dev.anemone.beam.sql.row.CompactRowCoder;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.Row;

/** Puts the key before each row of a side, and leaves out those that neither match nor are kept. */
final class JoinKeyFn extends DoFn<Row, KV<byte[], Row>> {
  private static final long serialVersionUID = 1L;

  private final JoinKeys keys;
  private final boolean keep;
  private final CompactRowCoder coder;

  /**
   * For one side.
   *
   * @param keep whether rows that can match nothing are wanted
   * @param coder codes the side's rows
   */
  JoinKeyFn(JoinKeys keys, boolean keep, CompactRowCoder coder) {
    this.keys = keys;
    this.keep = keep;
    this.coder = coder;
  }

  @ProcessElement
  public void process(@Element Row row, OutputReceiver<KV<byte[], Row>> output) {
    if (keys.isPresent(row)) {
      output.output(KV.of(keys.bytes(row), row));
    } else if (keep) {
      output.output(KV.of(keys.unmatchedBytes(row, coder), row));
    }
  }
}
