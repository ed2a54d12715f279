// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.disk;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * A program that reads pieces of 8 KB of a file at random places, one after the other and past the
 * cache, and prints how many it has read per second.
 *
 * <p>Arguments: the file, and how many seconds to read.
 */
final class RandomReads {
  static final int READ_BYTES = 8 << 10;

  /** More than the block size of any disk; direct reads must be aligned to that. */
  private static final int ALIGNMENT = 4 << 10;

  private RandomReads() {}

  /** Reads and prints. */
  public static void main(String[] args) throws IOException {
    long nanoseconds = TimeUnit.SECONDS.toNanos(Long.parseLong(args[1]));
    ByteBuffer target = ByteBuffer.allocateDirect(READ_BYTES + ALIGNMENT).alignedSlice(ALIGNMENT);
    SplittableRandom random = new SplittableRandom(1);
    try (FileChannel file =
        FileChannel.open(Path.of(args[0]), StandardOpenOption.READ, ExtendedOpenOption.DIRECT)) {
      long pieces = file.size() / READ_BYTES;
      long reads = 0;
      long start = System.nanoTime();
      long passed = 0;
      while (passed < nanoseconds) {
        target.clear().limit(READ_BYTES);
        file.read(target, random.nextLong(pieces) * READ_BYTES);
        reads++;
        passed = System.nanoTime() - start;
      }
      System.out.printf(Locale.ROOT, "%.1f%n", reads * 1e9 / passed);
    }
  }
}
