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

/** Makes the memory of a tier, DRAM or mapped: few large regions, each registered once. */
final class TierMemory {

  private static final Logger LOG = LoggerFactory.getLogger(TierMemory.class);

  private TierMemory() {}

  /**
   * Memory for a number of pages, registered with the transport.
   *
   * @param pagesPerRegion pages of each region but the last
   * @param taker who closes them, also when this fails
   * @throws IOException when there is not so much memory or room, with the reason
   */
  static void register(
      Transport transport,
      TierOptions options,
      int pages,
      int pageBytes,
      int pagesPerRegion,
      Consumer<MemoryRegion> taker)
      throws IOException {
    List<Integer> sizes = new ArrayList<>();
    for (int left = pages; left > 0; left -= pagesPerRegion) {
      sizes.add(Math.min(left, pagesPerRegion) * pageBytes);
    }
    if (options.directory().isPresent()) {
      for (ByteBuffer memory : mapped(options.directory().get(), options.kind(), sizes)) {
        taker.accept(transport.register(memory));
      }
      return;
    }
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

  private static List<ByteBuffer> mapped(Path directory, TierKind kind, List<Integer> sizes)
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
