// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import jdk.nio.mapmode.ExtendedMapMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the memory of a tier: few large regions, each registered once. */
final class TierMemory {

  private static final Logger LOG = LoggerFactory.getLogger(TierMemory.class);
  private static final int ZEROS_BYTES = 1 << 20;

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
    if (!Files.isDirectory(directory)) {
      throw new IOException(
          "The " + kind + " tier's " + directory + " is no directory. Give one that is there.");
    }
    Path file = Files.createTempFile(directory, "anemone-pool-", ".pages");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      fill(channel, sizes.stream().mapToLong(Integer::longValue).sum(), directory);
      List<ByteBuffer> regions = new ArrayList<>();
      long position = 0;
      for (int size : sizes) {
        regions.add(map(channel, kind, position, size, directory));
        position += size;
      }
      return regions;
    } finally {
      // The mapping keeps the bytes; a server that is killed leaves no file behind.
      Files.delete(file);
    }
  }

  /** Takes the room now: a mapped page for which the disk has no room is a crash later. */
  private static void fill(FileChannel channel, long bytes, Path directory) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS_BYTES);
    try {
      for (long left = bytes; left > 0; left -= zeros.position()) {
        zeros.clear().limit((int) Math.min(left, ZEROS_BYTES));
        while (zeros.hasRemaining()) {
          channel.write(zeros);
        }
      }
    } catch (IOException e) {
      throw new IOException(
          "There is no room for " + bytes + " bytes of the pool in " + directory + ".", e);
    }
  }

  private static ByteBuffer map(
      FileChannel channel, TierKind kind, long position, int size, Path directory)
      throws IOException {
    if (kind == TierKind.PMEM) {
      try {
        return channel.map(ExtendedMapMode.READ_WRITE_SYNC, position, size);
      } catch (IOException | UnsupportedOperationException e) {
        LOG.warn(
            "{} is not on a DAX file system ({}): the pool goes through the page cache there",
            directory,
            e.getMessage());
      }
    }
    return channel.map(FileChannel.MapMode.READ_WRITE, position, size);
  }
}
