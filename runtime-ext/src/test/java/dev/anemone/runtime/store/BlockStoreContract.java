// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

import static dev.anemone.runtime.store.BlockContents.assertBlock;
import static dev.anemone.runtime.store.BlockContents.bytes;
import static dev.anemone.runtime.store.BlockContents.direct;
import static dev.anemone.runtime.store.BlockContents.read;
import static dev.anemone.runtime.store.BlockContents.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every block store does. */
public abstract class BlockStoreContract extends BlockWritingContract {

  @ParameterizedTest
  @EnumSource(WriteOrder.class)
  void readsBackWhatWasCommitted(WriteOrder order) throws IOException {
    byte[][] partitions = {bytes(1, 100), bytes(2, 1), bytes(3, 70_000)};
    BlockIndex index = write(store, ID, order, partitions);
    assertThat(index.storedBytes()).isEqualTo(70_101);
    assertThat(index.rawLength(2)).isEqualTo(140_000);
    assertBlock(store, ID, partitions);
  }

  @Test
  void usageIsThatOfCommittedBlocks() throws IOException {
    assertThat(store.usedBytes()).isZero();
    write(store, ID, WriteOrder.BY_PARTITION, bytes(1, 100), bytes(2, 20));
    write(store, OTHER, WriteOrder.ANY, bytes(1, 400_000));
    assertThat(store.usedBytes()).isEqualTo(400_120);
    store.delete(ID);
    assertThat(store.usedBytes()).isEqualTo(400_000);
  }

  @Test
  void deletedBlocksAreGoneAndMayBeDeletedAgain() throws IOException {
    store.delete(ID);
    write(store, ID, WriteOrder.BY_PARTITION, bytes(1, 100));
    store.delete(ID);
    assertMissing(ID);
    assertNothingLeft(root);
    store.delete(ID);
    assertThat(store.usedBytes()).isZero();
  }

  @Test
  void anOpenReaderOfADeletedBlockNeverGivesOthersBytes() throws IOException {
    byte[] expected = bytes(1, 300_000);
    write(store, ID, WriteOrder.BY_PARTITION, expected);
    try (BlockReader reader = store.open(ID, new ReadStatistics())) {
      store.delete(ID);
      write(store, OTHER, WriteOrder.BY_PARTITION, bytes(2, 300_000));
      assertThat(read(reader, 0)).isEqualTo(expected);
    }
    assertBlock(store, OTHER, bytes(2, 300_000));
  }

  @Test
  void blocksBelowABlocksPathAreBlocksOfTheirOwn() throws IOException {
    BlockId below = new BlockId(ID.path() + "/spill0");
    write(store, below, WriteOrder.BY_PARTITION, bytes(1, 100));
    write(store, ID, WriteOrder.BY_PARTITION, bytes(2, 100));
    assertBlock(store, below, bytes(1, 100));
    store.delete(ID);
    assertBlock(store, below, bytes(1, 100));
    write(store, ID, WriteOrder.BY_PARTITION, bytes(3, 100));
    store.delete(below);
    assertBlock(store, ID, bytes(3, 100));
  }

  @ParameterizedTest
  @EnumSource(WriteOrder.class)
  void readsRanges(WriteOrder order) throws IOException {
    byte[] partition = bytes(2, 700_000);
    write(store, ID, order, bytes(1, 50), partition, bytes(3, 50));
    try (BlockReader reader = store.open(ID, new ReadStatistics())) {
      for (int[] range : new int[][] {{0, 1}, {1, 300_000}, {262_143, 2}, {699_990, 10}}) {
        ByteBuffer heap = ByteBuffer.allocate(range[1] + 10);
        heap.position(5).limit(5 + range[1]);
        reader.read(1, range[0], heap);
        assertThat(heap.position()).isEqualTo(heap.limit()).isEqualTo(5 + range[1]);
        assertThat(Arrays.copyOfRange(heap.array(), 5, 5 + range[1]))
            .isEqualTo(Arrays.copyOfRange(partition, range[0], range[0] + range[1]));
        ByteBuffer direct = ByteBuffer.allocateDirect(range[1]);
        reader.read(1, range[0], direct);
        assertThat(direct.flip()).isEqualTo(ByteBuffer.wrap(partition).slice(range[0], range[1]));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(WriteOrder.class)
  void readsNoFurtherThanThePartition(WriteOrder order) throws IOException {
    write(store, ID, order, bytes(1, 50), new byte[0], bytes(3, 50));
    try (BlockReader reader = store.open(ID, new ReadStatistics())) {
      ByteBuffer target = ByteBuffer.allocate(100);
      reader.read(0, 40, target);
      assertThat(target.position()).isEqualTo(10);
      assertThat(target.limit()).isEqualTo(100);
      reader.read(0, 50, target);
      reader.read(1, 0, target);
      assertThat(target.position()).isEqualTo(10);
      assertThatThrownBy(() -> reader.read(0, 51, target))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("position 51");
      assertThatThrownBy(() -> reader.read(0, -1, target))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> reader.read(3, 0, target))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(target.position()).isEqualTo(10);
    }
  }

  @Test
  void aClosedReaderReadsNothing() throws IOException {
    write(store, ID, WriteOrder.BY_PARTITION, bytes(1, 50));
    BlockReader reader = store.open(ID, new ReadStatistics());
    reader.close();
    reader.close();
    assertThatThrownBy(() -> reader.read(0, 0, ByteBuffer.allocate(10)))
        .isInstanceOf(IOException.class);
  }

  @Test
  void blocksAreWrittenReadAndDeletedAtTheSameTime() throws Exception {
    int threads = 4;
    CountDownLatch ready = new CountDownLatch(threads);
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int thread = t;
      tasks.add(
          () -> {
            ready.countDown();
            assertThat(ready.await(10, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 40; i++) {
              BlockId id = new BlockId("shared/attempt_" + thread);
              byte[] small = bytes(1000L * thread + i, 500);
              byte[] large = bytes(-1000L * thread - i, 150_000);
              WriteOrder order = i % 2 == 0 ? WriteOrder.ANY : WriteOrder.BY_PARTITION;
              write(store, id, order, small, large);
              assertBlock(store, id, small, large);
              store.delete(id);
            }
            return null;
          });
    }
    runAll(tasks);
    assertThat(store.usedBytes()).isZero();
    assertNothingLeft(root);
  }

  @Test
  void neighboursComeAndGoAtTheSameTime() throws Exception {
    runAll(
        IntStream.range(0, 4)
            .<Callable<Void>>mapToObj(
                t ->
                    () -> {
                      BlockId id = new BlockId("shared/deep/attempt_" + t);
                      for (int i = 0; i < 500; i++) {
                        store.create(id, 1, WriteOrder.ANY).close();
                      }
                      return null;
                    })
            .toList());
    assertNothingLeft(root);
  }

  @Test
  void manyReadOneBlock() throws Exception {
    byte[] first = bytes(1, 400_000);
    byte[] second = bytes(2, 10);
    write(store, ID, WriteOrder.BY_PARTITION, first, second);
    runAll(
        IntStream.range(0, 4)
            .<Callable<Void>>mapToObj(
                t ->
                    () -> {
                      for (int i = 0; i < 20; i++) {
                        assertBlock(store, ID, first, second);
                      }
                      return null;
                    })
            .toList());
  }

  private static void runAll(List<Callable<Void>> tasks) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(tasks.size());
    try {
      for (Future<Void> done : executor.invokeAll(tasks, 60, TimeUnit.SECONDS)) {
        done.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }

  /** An append of so many bytes to a partition. */
  record Append(int partition, int length) {}

  @Property(tries = 60)
  void anyInterleavingOfAppendsIsReadBack(
      @ForAll @IntRange(min = 1, max = 20) int partitions,
      @ForAll @Size(max = 60) List<Integer> appends,
      @ForAll WriteOrder order,
      @ForAll boolean directBuffers)
      throws IOException {
    Path directory = Files.createTempDirectory("block-store");
    BlockStore tried = newStore(directory);
    List<Append> sequence = sequence(partitions, appends, order);
    ByteArrayOutputStream[] model = new ByteArrayOutputStream[partitions];
    Arrays.setAll(model, p -> new ByteArrayOutputStream());
    try (BlockWriter writer = tried.create(ID, partitions, order)) {
      for (int i = 0; i < sequence.size(); i++) {
        Append append = sequence.get(i);
        byte[] bytes = bytes(i, append.length());
        ByteBuffer buffer = directBuffers ? direct(bytes) : ByteBuffer.wrap(bytes);
        writer.append(append.partition(), buffer, 2L * append.length());
        assertThat(buffer.hasRemaining()).isFalse();
        model[append.partition()].writeBytes(bytes);
      }
      writer.commit();
    }
    assertBlock(
        tried,
        ID,
        Arrays.stream(model).map(ByteArrayOutputStream::toByteArray).toArray(byte[][]::new));
    tried.delete(ID);
    assertNothingLeft(directory);
    Files.deleteIfExists(directory);
  }

  /**
   * A number gives the partition, and a length that is mostly small and sometimes large; the number
   * is scrambled because small ones are tried more often.
   */
  private static List<Append> sequence(int partitions, List<Integer> numbers, WriteOrder order) {
    List<Append> sequence = new ArrayList<>();
    for (int number : numbers) {
      int scrambled = (number * 0x9E3779B9) >>> 1;
      int length = scrambled % 5 == 0 ? scrambled % 200_000 : scrambled % 3000;
      sequence.add(new Append(Math.floorMod(number, partitions), length));
    }
    if (order == WriteOrder.BY_PARTITION) {
      sequence.sort((a, b) -> Integer.compare(a.partition(), b.partition()));
    }
    return sequence;
  }
}
