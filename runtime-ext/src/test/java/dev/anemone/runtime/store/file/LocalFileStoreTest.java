// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import static dev.anemone.runtime.store.BlockContents.assertBlock;
import static dev.anemone.runtime.store.BlockContents.bytes;
import static dev.anemone.runtime.store.BlockContents.read;
import static dev.anemone.runtime.store.BlockContents.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockStoreContract;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

public class LocalFileStoreTest extends BlockStoreContract {

  private static final BlockId BLOCK = new BlockId("dag_1/attempt_1");

  @Override
  protected BlockStore newStore(Path directory) {
    return new LocalFileStore(directory);
  }

  @Override
  protected void assertNothingLeft(Path directory) throws IOException {
    assertEmpty(directory);
  }

  public static void assertEmpty(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void theIndexComesWithTheCommitAndNothingElseDoes() throws IOException {
    Path directory = root.resolve(BLOCK.path());
    try (BlockWriter writer = store.create(BLOCK, 1, WriteOrder.BY_PARTITION)) {
      writer.append(0, ByteBuffer.wrap(bytes(1, 100)), 0);
      assertThat(directory).isDirectoryNotContaining("glob:**index*");
      writer.commit();
    }
    assertThat(directory).isDirectoryContaining("glob:**/file.out");
    assertThat(directory).isDirectoryContaining("glob:**/file.out.index");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).hasSize(2);
    }
  }

  @Test
  void blocksAreReadInAnotherStoreAtTheSameRoot() throws IOException {
    write(store, BLOCK, WriteOrder.ANY, bytes(1, 100), bytes(2, 200));
    assertBlock(new LocalFileStore(root), BLOCK, bytes(1, 100), bytes(2, 200));
  }

  /** Each of a thousand consumers comes to all of the producers' blocks, one after the other. */
  @Test
  void theIndexesOfAThousandBlocksOfAThousandPartitionsAreReadOnce() throws IOException {
    LocalFileStore many = new LocalFileStore(root, 16L << 20, 0, 1L << 30);
    int blocks = 1_200;
    int partitions = 1_000;
    for (int block = 0; block < blocks; block++) {
      BlockId id = new BlockId("dag_1/attempt_" + block);
      try (BlockWriter writer = many.create(id, partitions, WriteOrder.BY_PARTITION)) {
        writer.append(partitions - 1, ByteBuffer.wrap(bytes(block, 1)), 1);
        writer.commit();
      }
      Files.delete(root.resolve(id.path()).resolve("file.out.index"));
    }
    for (int block = 0; block < blocks; block++) {
      BlockId id = new BlockId("dag_1/attempt_" + block);
      try (BlockReader reader = many.open(id, new ReadStatistics())) {
        assertThat(reader.index().storedLength(partitions - 1)).isEqualTo(1);
      }
    }
    many.deleteAll("");
  }

  /** One of a thousand consumers does not read what the index says of the others' partitions. */
  @Test
  void ofAnIndexThatIsNotInTheCacheOnlyTheEntriesOfTheWantedPartitionsAreRead() throws IOException {
    byte[][] partitions = new byte[300][];
    Arrays.setAll(partitions, p -> bytes(p, p % 3 == 0 ? 0 : p));
    write(store, BLOCK, WriteOrder.BY_PARTITION, partitions);
    Path index = root.resolve(BLOCK.path()).resolve("file.out.index");
    byte[] good = Files.readAllBytes(index);
    for (List<HashRange> wanted :
        List.of(
            List.of(new HashRange(0, 1)),
            List.of(new HashRange(40, 44)),
            List.of(new HashRange(298, 300)),
            List.of(new HashRange(4, 5), new HashRange(120, 122), new HashRange(299, 300)))) {
      byte[] bad = new byte[good.length];
      for (HashRange range : wanted) {
        int from = 24 * Math.max(0, range.from() - 1);
        int to = Math.min(24 * partitions.length, 24 * (range.to() + 1));
        System.arraycopy(good, from, bad, from, to - from);
      }
      Files.write(index, bad);
      LocalFileStore reading = new LocalFileStore(root);
      for (int time = 0; time < 2; time++) {
        try (BlockReader reader = reading.open(BLOCK, wanted, new ReadStatistics())) {
          assertThat(reader.index().partitions()).isEqualTo(partitions.length);
          assertThat(reader.index().storedBytes()).isEqualTo(store.usedBytes());
          for (HashRange range : wanted) {
            assertPartitions(reader, range, partitions);
          }
          assertThatThrownBy(() -> reader.read(200, 0, ByteBuffer.allocate(1)))
              .isInstanceOf(IndexOutOfBoundsException.class);
        }
      }
      assertThatThrownBy(() -> reading.open(BLOCK, new ReadStatistics()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is damaged");
    }
  }

  @ParameterizedTest
  @EnumSource(WriteOrder.class)
  void anyRangesOfPartitionsAreRead(WriteOrder order) throws IOException {
    LocalFileStore extents = new LocalFileStore(root, 0, 0, 1 << 12);
    byte[][] partitions = {
      new byte[0], bytes(1, 10), bytes(2, 20), new byte[0], bytes(4, 7), new byte[0]
    };
    write(extents, BLOCK, order, partitions);
    for (int from = 0; from < partitions.length; from++) {
      for (int to = from + 1; to <= partitions.length; to++) {
        List<HashRange> wanted = new ArrayList<>(List.of(new HashRange(from, to)));
        if (to < partitions.length - 1) {
          wanted.add(new HashRange(partitions.length - 1, partitions.length));
        }
        try (BlockReader reader = extents.open(BLOCK, wanted, new ReadStatistics())) {
          for (HashRange range : wanted) {
            assertPartitions(reader, range, partitions);
          }
        }
      }
    }
  }

  private static void assertPartitions(BlockReader reader, HashRange range, byte[][] partitions)
      throws IOException {
    for (int p = range.from(); p < range.to(); p++) {
      assertThat(reader.index().storedLength(p)).isEqualTo(partitions[p].length);
      assertThat(reader.index().rawLength(p)).isEqualTo(2L * partitions[p].length);
      assertThat(read(reader, p)).isEqualTo(partitions[p]);
    }
  }

  @Test
  void countsReadsAndSeeks() throws IOException {
    write(store, BLOCK, WriteOrder.BY_PARTITION, bytes(1, 100), new byte[0], bytes(2, 100));
    ReadStatistics statistics = new ReadStatistics();
    try (BlockReader reader = store.open(BLOCK, statistics)) {
      reader.read(0, 0, ByteBuffer.allocate(60));
      reader.read(0, 60, ByteBuffer.allocate(100));
      reader.read(1, 0, ByteBuffer.allocate(100));
      reader.read(2, 0, ByteBuffer.allocate(50));
      assertThat(statistics.reads()).isEqualTo(3);
      assertThat(statistics.seeks()).isEqualTo(1);
      assertThat(statistics.bytes()).isEqualTo(150);
      reader.read(0, 1, ByteBuffer.allocate(1));
      assertThat(statistics.seeks()).isEqualTo(2);
    }
  }

  @Test
  void indexesOfCommittedBlocksAreReadOnce() throws IOException {
    write(store, BLOCK, WriteOrder.BY_PARTITION, bytes(1, 100));
    LocalFileStore reading = new LocalFileStore(root);
    assertBlock(reading, BLOCK, bytes(1, 100));
    Files.delete(root.resolve(BLOCK.path()).resolve("file.out.index"));
    assertBlock(store, BLOCK, bytes(1, 100));
    assertBlock(reading, BLOCK, bytes(1, 100));
    assertThatThrownBy(() -> new LocalFileStore(root).open(BLOCK, new ReadStatistics()))
        .isInstanceOf(NoSuchFileException.class);
    reading.delete(BLOCK);
    assertThatThrownBy(() -> reading.open(BLOCK, new ReadStatistics()))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void theCacheOfIndexesIsBounded() throws IOException {
    BlockId old = new BlockId("old");
    LocalFileStore small = new LocalFileStore(root, 1000, 0, 1 << 20);
    write(small, old, WriteOrder.BY_PARTITION, bytes(1, 100));
    write(small, BLOCK, WriteOrder.BY_PARTITION, bytes(2, 100));
    Files.delete(root.resolve("old/file.out.index"));
    assertBlock(small, old, bytes(1, 100));
    for (int i = 0; i < 3; i++) {
      write(small, BLOCK, WriteOrder.BY_PARTITION, bytes(2, 100));
      write(small, new BlockId("x" + i), WriteOrder.BY_PARTITION, bytes(2, 100));
    }
    assertThatThrownBy(() -> small.open(old, new ReadStatistics()))
        .isInstanceOf(NoSuchFileException.class);
    small.deleteAll("");
  }

  @Test
  void deletesAllBlocksBelowAPrefix() throws IOException {
    LocalFileStore local = new LocalFileStore(root);
    write(local, new BlockId("dag_1/a"), WriteOrder.BY_PARTITION, bytes(1, 100));
    write(local, new BlockId("dag_1/b/spill0"), WriteOrder.ANY, bytes(2, 10));
    write(local, new BlockId("dag_10/a"), WriteOrder.BY_PARTITION, bytes(3, 1));
    write(store, new BlockId("dag_1/of_another_process"), WriteOrder.ANY, bytes(4, 5));
    try (BlockWriter writer = local.create(new BlockId("dag_1/c"), 1, WriteOrder.ANY)) {
      Path leftover = Files.createDirectories(root.resolve("dag_1/crashed"));
      Files.write(leftover.resolve("file.out"), bytes(5, 10));
      local.deleteAll("dag_1/");
      assertThat(root).isDirectoryNotContaining("glob:**/dag_1");
      assertThatThrownBy(writer::commit).isInstanceOf(IOException.class);
    }
    assertThat(local.usedBytes()).isEqualTo(1);
    assertBlock(local, new BlockId("dag_10/a"), bytes(3, 1));
    local.deleteAll("dag_1");
    assertThat(local.usedBytes()).isZero();
    assertEmpty(root);
    local.deleteAll("dag_1/");
    local.deleteAll("");
    assertThatThrownBy(() -> local.deleteAll("../x")).isInstanceOf(IllegalArgumentException.class);
    store.delete(new BlockId("dag_1/of_another_process"));
  }

  @Test
  void idsThatAreNoPlainRelativePathsAreRefused() {
    for (String path : new String[] {"", "/a", "../a", "a//b", "a/", "./a", "a/./b"}) {
      assertThatThrownBy(() -> new BlockId(path)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
