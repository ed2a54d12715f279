// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.samplingerror;

import dev.anemone.runtime.transfer.PartitionHash;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.beam.sdk.coders.Coder;

/**
 * The partition that the runtime puts a grouped record into: by the xxHash of the encoded key. Not
 * thread-safe.
 */
final class HashPartitions<K> {

  private final Coder<K> coder;
  private final int partitions;
  private final ByteArrayOutputStream encoded = new ByteArrayOutputStream();
  private int keyBytes;

  HashPartitions(Coder<K> coder, int partitions) {
    this.coder = coder;
    this.partitions = partitions;
  }

  /** The partition of a key. */
  int of(K key) throws IOException {
    encoded.reset();
    coder.encode(key, encoded);
    byte[] bytes = encoded.toByteArray();
    keyBytes = bytes.length;
    return PartitionHash.of(bytes, 0, bytes.length, partitions);
  }

  /** Length of the key that was encoded last. */
  int keyBytes() {
    return keyBytes;
  }
}
