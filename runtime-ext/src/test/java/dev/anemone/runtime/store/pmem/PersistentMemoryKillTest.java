// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

import static dev.anemone.runtime.store.BlockContents.assertBlock;
import static dev.anemone.runtime.store.BlockContents.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pmem.PersistentMemory;
import dev.anemone.runtime.store.BlockContents;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A process is killed while it writes and deletes; another one opens what it left. */
class PersistentMemoryKillTest {

  private static final long FILE_BYTES = 4 << 20;
  private static final int PAGE_BYTES = 4096;

  /** Blocks that are there at once; an older one is deleted before the next is written. */
  private static final int KEPT = 4;

  private static final int[] KILLED_AFTER = {1, 20, 101};

  @TempDir Path directory;

  @Test
  @Timeout(120)
  void whatAKilledProcessCommittedIsThere() throws Exception {
    for (int lines : KILLED_AFTER) {
      int last = runAndKill(lines);
      try (PersistentMemoryStore left = open(directory)) {
        // The oldest of those that are kept may be deleted already, and the next one committed.
        for (int i = Math.max(0, last - KEPT + 2); i <= last; i++) {
          assertBlock(left, id(i), contents(i));
        }
        for (int i = 0; i <= last - KEPT; i++) {
          assertMissing(left, i);
        }
        assertMissing(left, last + 2);
        left.deleteAll("");
        assertThat(left.usedBytes()).isZero();
        assertThat(left.freeBytes()).isEqualTo(left.capacityBytes());
      }
    }
  }

  private static void assertMissing(PersistentMemoryStore store, int number) {
    assertThatThrownBy(() -> store.open(id(number), new ReadStatistics()))
        .isInstanceOf(NoSuchFileException.class);
  }

  /** The last block that the process said it had committed. */
  private int runAndKill(int lines) throws IOException, InterruptedException {
    String classPath =
        Stream.of(
                Writer.class,
                PersistentMemoryStore.class,
                PersistentMemory.class,
                Assertions.class,
                LoggerFactory.class)
            .map(needed -> needed.getProtectionDomain().getCodeSource().getLocation().getPath())
            .collect(Collectors.joining(File.pathSeparator));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                classPath,
                Writer.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
      int last = -1;
      for (int i = 0; i < lines; i++) {
        String line = said.readLine();
        assertThat(line).as("what the process says").isNotNull();
        last = Integer.parseInt(line);
      }
      // By its handle, which leaves what it said to be read.
      assertThat(process.toHandle().destroyForcibly()).isTrue();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      // What it said until it died counts; it writes a line at once.
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        last = Integer.parseInt(line);
      }
      return last;
    } finally {
      process.destroyForcibly();
    }
  }

  private static PersistentMemoryStore open(Path directory) throws IOException {
    return PersistentMemoryStore.open(
        directory.resolve("blocks"), FILE_BYTES, PAGE_BYTES, new LocalFileStore(directory));
  }

  private static BlockId id(int i) {
    return new BlockId("killed/block_" + i);
  }

  private static byte[][] contents(int i) {
    return new byte[][] {bytes(i, 10), new byte[0], bytes(-i, 60_000 + i)};
  }

  /** Commits blocks and says so, until it is killed. */
  static final class Writer {

    private Writer() {}

    public static void main(String[] args) throws IOException {
      try (PersistentMemoryStore store = open(Path.of(args[0]))) {
        for (int i = 0; ; i++) {
          if (i >= KEPT) {
            store.delete(id(i - KEPT));
          }
          BlockContents.write(store, id(i), WriteOrder.ANY, contents(i));
          System.out.print(i + "\n");
          System.out.flush();
        }
      }
    }
  }
}
