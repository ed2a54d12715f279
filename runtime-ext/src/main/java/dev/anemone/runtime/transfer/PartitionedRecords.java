// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.record.RecordWriter;
import dev.anemone.runtime.shuffle.write.ShuffleWriter;
import java.io.IOException;

/**
 * Gives each record its partition. Used by one thread.
 *
 * @param partitioning decides
 * @param shuffle takes the records
 */
record PartitionedRecords(Partitioning partitioning, ShuffleWriter shuffle)
    implements RecordWriter {

  @Override
  public void write(ByteSink key, ByteSink value) throws IOException {
    try {
      shuffle.write(
          partitioning.partition(key, value),
          key.array(),
          key.length(),
          value.array(),
          value.length());
    } catch (InterruptedException e) {
      throw Interruption.of(e);
    }
  }
}
