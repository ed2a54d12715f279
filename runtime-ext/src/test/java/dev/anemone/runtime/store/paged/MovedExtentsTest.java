// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.paged;

import static dev.anemone.runtime.store.BlockContents.assertBlock;
import static dev.anemone.runtime.store.BlockContents.bytes;
import static dev.anemone.runtime.store.BlockContents.direct;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockStoreContract;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.store.file.LocalFileStoreTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A local store whose partitions outgrow their extents all the time. */
class MovedExtentsTest extends BlockStoreContract {

  private static final BlockId BLOCK = new BlockId("dag_1/attempt_1");
  private static final int PARTITIONS = 300;
  private static final int PART_BYTES = 8192;
  private static final int PARTS = 2000;

  @Override
  protected BlockStore newStore(Path directory) {
    return new LocalFileStore(directory, 1 << 20, 100, 64);
  }

  @Override
  protected void assertNothingLeft(Path directory) throws IOException {
    LocalFileStoreTest.assertEmpty(directory);
  }

  @Test
  void wideExtentsTakeLittleMoreThanTheData() throws Exception {
    long taken = writeInRandomOrder(new LocalFileStore(root));
    long data = (long) PARTS * PART_BYTES;
    assertThat(taken).isBetween(data, data + data / 20);
  }

  @Test
  void movedExtentsTakeTheirOldSpaceToo() throws Exception {
    long taken = writeInRandomOrder(new LocalFileStore(root, 1 << 20, 0, 16_384));
    long data = (long) PARTS * PART_BYTES;
    assertThat(taken).isBetween(data + data / 10, 2 * data);
  }

  /** A thousand partitions take as many blocks of the file system when each has an extent. */
  @Test
  void aLittleBlockOfManyPartitionsTakesLittleMoreThanTheData() throws Exception {
    byte[][] expected = new byte[1000][];
    LocalFileStore local = new LocalFileStore(root);
    try (BlockWriter writer = local.create(BLOCK, expected.length, WriteOrder.ANY)) {
      for (int half = 0; half < 2; half++) {
        for (int p = expected.length - 1; p >= 0; p--) {
          expected[p] = bytes(p, 400);
          writer.append(
              p, direct(Arrays.copyOfRange(expected[p], half * 200, half * 200 + 200)), 400);
        }
      }
      writer.commit();
    }
    assertBlock(local, BLOCK, expected);
    assertThat(takenBytes(root.resolve(BLOCK.path()).resolve("file.out")))
        .isBetween(400_000L, 420_000L);
    local.delete(BLOCK);
  }

  private long writeInRandomOrder(LocalFileStore local) throws Exception {
    byte[][] expected = new byte[PARTITIONS][0];
    Random random = new Random(7);
    try (BlockWriter writer = local.create(BLOCK, PARTITIONS, WriteOrder.ANY)) {
      for (int i = 0; i < PARTS; i++) {
        int p = random.nextInt(PARTITIONS);
        byte[] part = bytes(i, PART_BYTES);
        writer.append(p, direct(part), 2L * PART_BYTES);
        int length = expected[p].length;
        expected[p] = Arrays.copyOf(expected[p], length + PART_BYTES);
        System.arraycopy(part, 0, expected[p], length, PART_BYTES);
      }
      writer.commit();
    }
    assertBlock(local, BLOCK, expected);
    long taken = takenBytes(root.resolve(BLOCK.path()).resolve("file.out"));
    local.delete(BLOCK);
    return taken;
  }

  /** What {@code du} says. */
  private static long takenBytes(Path file) throws Exception {
    Process du = new ProcessBuilder("du", "-k", file.toString()).start();
    String answer = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(du.waitFor(10, TimeUnit.SECONDS)).isTrue();
    return 1024 * Long.parseLong(answer.toLowerCase(Locale.ROOT).replaceFirst("\\s(?s).*", ""));
  }
}
