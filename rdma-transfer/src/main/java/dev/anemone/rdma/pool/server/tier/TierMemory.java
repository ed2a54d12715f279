// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server.tier;

import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import jdk.nio.mapmode.ExtendedMapMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the memory of a tier, DRAM or mapped: few large regions. */
final class TierMemory {

  private static final Logger LOG = LoggerFactory.getLogger(TierMemory.class);

  private TierMemory() {}

  /**
   * DRAM, registered with the transport.
   *
   * @param sizes bytes of each region
   * @param taker who closes them, also when this fails
   * @throws IOException when there is not so much memory, with the reason
   */
  static void allocate(
      Transport transport, TierOptions options, List<Integer> sizes, Consumer<MemoryRegion> taker)
      throws IOException {
    try {
      for (int size : sizes) {
        taker.accept(transport.allocate(size));
      }
    } catch (IOException e) {
      throw new IOException(
          "There is no memory for a DRAM tier of "
              + options.capacityBytes()
              + " bytes: "
              + e.getMessage()
              + ". Give a smaller capacity.",
          e);
    }
  }

  /**
   * A file without a name, mapped in pieces.
   *
   * @param sizes bytes of each piece
   * @throws IOException when there is no such directory, or no room in it
   */
  static List<ByteBuffer> mapped(Path directory, TierKind kind, List<Integer> sizes)
      throws IOException {
    long bytes = sizes.stream().mapToLong(Integer::longValue).sum();
    try (FileChannel channel = TierFile.create(directory, kind, bytes)) {
      List<ByteBuffer> regions = new ArrayList<>();
      long position = 0;
      for (int size : sizes) {
        regions.add(map(channel, position, size, directory));
        position += size;
      }
      return regions;
    }
  }

  private static ByteBuffer map(FileChannel channel, long position, int size, Path directory)
      throws IOException {
    try {
      return channel.map(ExtendedMapMode.READ_WRITE_SYNC, position, size);
    } catch (IOException | UnsupportedOperationException e) {
      LOG.warn(
          "{} is not on a DAX file system ({}): the pool goes through the page cache there",
          directory,
          e.getMessage());
    }
    return channel.map(FileChannel.MapMode.READ_WRITE, position, size);
  }
}
