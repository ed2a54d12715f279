// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server.tier;

import dev.anemone.rdma.pool.TierKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Makes the files of tiers, which have no names: however a server ends, its file goes with it. */
final class TierFile {

  private static final int ZEROS_BYTES = 1 << 20;

  private TierFile() {}

  /**
   * A file of so many bytes, for which the disk has room.
   *
   * @return to be closed by the caller; what is mapped stays
   * @throws IOException when there is no such directory, or no room in it
   */
  static FileChannel create(Path directory, TierKind kind, long bytes) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new IOException(
          "The " + kind + " tier's " + directory + " is no directory. Give one that is there.");
    }
    Path file = Files.createTempFile(directory, "anemone-pool-", ".pages");
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      try {
        fill(channel, bytes, directory);
        return channel;
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } finally {
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
}
