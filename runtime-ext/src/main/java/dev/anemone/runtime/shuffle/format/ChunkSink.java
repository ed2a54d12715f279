// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Takes the chunks of sorted runs as they are made. Used by one thread. */
public interface ChunkSink {

  /**
   * Takes whole chunks of a partition. A run may arrive in several calls, unless the writer
   * promises otherwise, as {@code ShuffleWriter.toSink} does; what one sort makes of a partition
   * arrives in order, and its partitions arrive in ascending order.
   *
   * @param chunks from position to limit; when the call returns, the position is the limit, and the
   *     caller may use the buffer for something else
   * @param rawBytes bytes of the payloads before compression
   */
  void accept(int partition, ByteBuffer chunks, long rawBytes)
      throws IOException, InterruptedException;
}
