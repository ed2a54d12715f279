// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.record.RecordWriter;
import dev.anemone.runtime.shuffle.write.ShuffleWriter;
import dev.anemone.runtime.transfer.lineage.RecordDigest;
import java.io.IOException;

/**
 * Gives each record its partition, and counts it into a digest. Used by one thread.
 *
 * @param partitioning decides
 * @param shuffle takes the records
 * @param digest of them, before any are combined, which depends on when memory is full
 */
record PartitionedRecords(Partitioning partitioning, ShuffleWriter shuffle, RecordDigest digest)
    implements RecordWriter {

  PartitionedRecords(Partitioning partitioning, ShuffleWriter shuffle) {
    this(partitioning, shuffle, new RecordDigest());
  }

  @Override
  public void write(ByteSink key, ByteSink value) throws IOException {
    int partition = partitioning.partition(key, value);
    digest.add(partition, key, value);
    try {
      shuffle.write(partition, key.array(), key.length(), value.array(), value.length());
    } catch (InterruptedException e) {
      throw Interruption.of(e);
    }
  }
}
