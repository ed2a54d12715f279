// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

import static dev.anemone.runtime.store.BlockContents.assertBlock;
import static dev.anemone.runtime.store.BlockContents.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.store.file.LocalFileStoreTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Crashes at every moment: whatever a crash can leave is opened, and has every block that was
 * committed, whole, no other one, and no page that is lost.
 */
class PersistentMemoryCrashTest {

  private static final int MEMORY_BYTES = 128 << 10;
  private static final int PAGE_BYTES = 4096;
  private static final int OPERATIONS = 30;
  private static final int IDS = 5;

  @TempDir Path overflow;

  private final Map<BlockId, byte[][]> committed = new HashMap<>();

  /** The block that is being committed, withdrawn or deleted; the map has it as it was before. */
  private BlockId inProgress;

  private byte[][] becoming;
  private int images;
  private int drawnBack;
  private int ahead;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void whatACrashLeavesHasAllCommittedBlocksAndNoOther(long seed) throws IOException {
    Random random = new Random(seed);
    CrashingMemory memory =
        new CrashingMemory(ByteBuffer.allocateDirect(MEMORY_BYTES), new Random(-seed));
    memory.onCrash(this::check);
    PersistentMemoryStore store = open(memory);
    BlockWriter abandoned = null;
    for (int i = 0; i < OPERATIONS; i++) {
      BlockId id = new BlockId("block_" + random.nextInt(IDS));
      inProgress = id;
      becoming = null;
      if (random.nextInt(4) == 0) {
        store.delete(id);
        committed.remove(id);
      } else {
        byte[][] partitions = partitions(random);
        WriteOrder order = random.nextBoolean() ? WriteOrder.ANY : WriteOrder.BY_PARTITION;
        BlockWriter writer = store.create(id, partitions.length, order);
        committed.remove(id);
        for (int p = 0; p < partitions.length; p++) {
          writer.append(p, ByteBuffer.wrap(partitions[p]), 2L * partitions[p].length);
        }
        if (random.nextInt(5) == 0) {
          // Goes on while others commit, until its block is begun again.
          abandoned = writer;
        } else {
          becoming = partitions;
          writer.commit();
          committed.put(id, partitions);
        }
      }
      inProgress = null;
      check(memory.slice(0, MEMORY_BYTES));
    }
    if (abandoned != null) {
      abandoned.close();
    }
    assertThat(images).isGreaterThan(200);
    // Both outcomes of a crash within a commit or a deletion were seen.
    assertThat(drawnBack).isPositive();
    assertThat(ahead).isPositive();
  }

  /** Small enough that five blocks and one that is abandoned always find pages. */
  private static byte[][] partitions(Random random) {
    int style = random.nextInt(3);
    int count = style == 0 ? 1 + random.nextInt(320) : 1 + random.nextInt(4);
    int length = style == 0 ? 5 : style == 1 ? 100 : 900;
    return IntStream.range(0, count)
        .mapToObj(p -> bytes(random.nextLong(), random.nextInt(length)))
        .toArray(byte[][]::new);
  }

  private PersistentMemoryStore open(CrashingMemory memory) throws IOException {
    return PersistentMemoryStore.open(memory, PAGE_BYTES, new LocalFileStore(overflow));
  }

  private void check(ByteBuffer image) {
    images++;
    CrashingMemory memory = new CrashingMemory(image, new Random(0));
    boolean isNew = memory.word(0) == 0;
    try (PersistentMemoryStore left = open(memory)) {
      if (!isNew) {
        // A header is durable before it is committed, so that there is nothing torn to be dropped.
        assertThat(memory.persisted()).isZero();
      }
      for (int i = 0; i < IDS; i++) {
        BlockId id = new BlockId("block_" + i);
        if (!id.equals(inProgress)) {
          assertIs(left, id, committed.get(id));
        } else if (isThere(left, id)) {
          assertIs(left, id, becoming != null ? becoming : committed.get(id));
          ahead += becoming != null ? 1 : 0;
        } else {
          drawnBack++;
        }
      }
      left.deleteAll("");
      assertThat(left.usedBytes()).isZero();
      assertThat(left.freeBytes()).isEqualTo(left.capacityBytes());
      LocalFileStoreTest.assertEmpty(overflow);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertIs(PersistentMemoryStore store, BlockId id, byte[][] partitions)
      throws IOException {
    if (partitions == null) {
      assertThat(isThere(store, id)).as("%s, which is not committed", id).isFalse();
    } else {
      assertBlock(store, id, partitions);
    }
  }

  private static boolean isThere(PersistentMemoryStore store, BlockId id) throws IOException {
    try (BlockReader reader = store.open(id, new ReadStatistics())) {
      return reader.id().equals(id);
    } catch (NoSuchFileException e) {
      return false;
    }
  }
}
