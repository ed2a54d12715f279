// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.disk;

import com.sun.nio.file.ExtendedOpenOption;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Measures how many random reads of 8 KB a disk does per second, one after the other. */
public record RandomReadRate(Path directory, String classPath, int seconds) {
  private static final int FILE_BYTES = 256 << 20;
  private static final int CHUNK_BYTES = 1 << 20;
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  /** Measures reads per second, past the cache, in a process under a changed command. */
  public double measure(UnaryOperator<List<String>> command)
      throws IOException, InterruptedException {
    Path file = directory.resolve("random-reads");
    Path log = directory.resolve("random-reads.log");
    try {
      write(file);
      JavaProgram program =
          JavaProgram.of(RandomReads.class, classPath, List.of("-Xmx64m"), file, seconds);
      MeasuredProcess.run(command.apply(program.command()), directory, log, DEADLINE)
          .requireSuccess("The measurement of random reads of the disk of " + directory);
      return Double.parseDouble(MeasuredProcess.lastMessages(log, 1));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Real bytes: reads of a hole never reach the disk. */
  private static void write(Path file) throws IOException {
    byte[] chunk = new byte[CHUNK_BYTES];
    new Random(1).nextBytes(chunk);
    try (FileOutputStream out = new FileOutputStream(file.toFile())) {
      for (int written = 0; written < FILE_BYTES; written += CHUNK_BYTES) {
        out.write(chunk);
      }
      out.getFD().sync();
    }
  }

  /** Reads 8 KB of a file again and again, past the cache, and prints the reads per second. */
  static final class RandomReads {
    static final int READ_BYTES = 8 << 10;

    /** More than the block size of any disk; direct reads must be aligned to that. */
    private static final int ALIGNMENT = 4 << 10;

    private RandomReads() {}

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
}
