// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

import static dev.anemone.runtime.store.BlockContents.assertBlock;
import static dev.anemone.runtime.store.BlockContents.bytes;
import static dev.anemone.runtime.store.BlockContents.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.store.file.LocalFileStoreTest;
import dev.anemone.runtime.tez.handler.ApplicationDirectories;
import dev.anemone.runtime.tez.handler.HandlerKind;
import dev.anemone.runtime.tez.handler.ServedJob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ApplicationDirectoriesTest extends BlockStoreContract {

  private static final int DISKS = 3;
  private static final ServedJob JOB = job(HandlerKind.MAPREDUCE, 1);

  private static ServedJob job(HandlerKind kind, int dag) {
    return ServedJob.of(kind, "application_1700000000000_0007", dag);
  }

  private static List<Path> disks(Path directory) {
    return IntStream.range(0, DISKS).mapToObj(d -> directory.resolve("disk" + d)).toList();
  }

  @Override
  public BlockStore newStore(Path directory) throws IOException {
    for (Path disk : disks(directory)) {
      Files.createDirectories(disk);
    }
    return new ApplicationDirectories(disks(directory), JOB);
  }

  /** Empty directories may be left of the disks; they are taken away. */
  @Override
  public void assertNothingLeft(Path directory) throws IOException {
    for (Path disk : disks(directory)) {
      Path output = disk.resolve("output");
      if (Files.exists(output)) {
        LocalFileStoreTest.assertEmpty(output);
        Files.delete(output);
      }
      Files.deleteIfExists(disk);
    }
    LocalFileStoreTest.assertEmpty(directory);
  }

  /** The disk that has a block. */
  private Path diskOf(BlockId id) {
    return disks(root).stream()
        .filter(disk -> Files.exists(disk.resolve("output").resolve(id.path())))
        .findFirst()
        .orElseThrow();
  }

  /** Makes a disk fail on everything. */
  private static void breakDown(Path disk) throws IOException {
    Files.deleteIfExists(disk.resolve("output"));
    Files.delete(disk);
    Files.createFile(disk);
  }

  private static void repair(Path disk) throws IOException {
    Files.delete(disk);
    Files.createDirectory(disk);
  }

  @Test
  void aBlockLiesWhereTheHandlerLooksForIt() throws IOException {
    BlockId id = new BlockId("attempt_1700000000000_0001_1_00_000000_0_10003");
    write(store, id, WriteOrder.ANY, bytes(1, 100));
    Path files = diskOf(id).resolve("output/attempt_1700000000000_0001_1_00_000000_0_10003");
    assertThat(files.resolve("file.out")).hasSize(100);
    assertThat(files.resolve("file.out.index")).hasSize(32);
    store.delete(id);
  }

  @Test
  void blocksSpreadOverTheDisks() throws IOException {
    List<BlockId> ids =
        IntStream.range(0, 60)
            .mapToObj(i -> new BlockId("attempt_1700000000000_0001_1_00_%06d_0_1".formatted(i)))
            .toList();
    for (BlockId id : ids) {
      write(store, id, WriteOrder.ANY, bytes(1, 10));
    }
    for (Path disk : disks(root)) {
      try (Stream<Path> blocks = Files.list(disk.resolve("output"))) {
        assertThat(blocks).hasSizeGreaterThan(5);
      }
    }
    ((ApplicationDirectories) store).deleteAll("attempt_1700000000000_0001_1_");
    assertThat(store.usedBytes()).isZero();
    for (BlockId id : ids) {
      assertMissing(id);
    }
  }

  @Test
  void deletesAllButWhatBeginsWithAString() throws IOException {
    List<BlockId> goes =
        Stream.of("a_1", "a_1_0", "a_1_1/copy-1", "a_1_1/copy-2", "a", "a_10_2/x", "b_2_")
            .map(BlockId::new)
            .toList();
    List<BlockId> stays =
        Stream.of("a_2_", "a_2_0", "a_2_1/copy-1", "a_2_1").map(BlockId::new).toList();
    for (BlockId id : Stream.concat(goes.stream(), stays.stream()).toList()) {
      write(store, id, WriteOrder.ANY, bytes(1, 10));
    }
    new ApplicationDirectories(disks(root), JOB).deleteAllBut("a_2_");
    for (BlockId id : goes) {
      assertThatThrownBy(
              () -> new ApplicationDirectories(disks(root), JOB).open(id, new ReadStatistics()))
          .as(id.path())
          .isInstanceOf(NoSuchFileException.class);
    }
    for (BlockId id : stays) {
      assertBlock(store, id, bytes(1, 10));
    }
    ((ApplicationDirectories) store).deleteAllBut("x");
    for (BlockId id : goes) {
      store.delete(id);
    }
    for (BlockId id : stays) {
      store.delete(id);
    }
  }

  @Test
  void anotherProcessOnTheNodeFindsBlocks() throws IOException {
    write(store, ID, WriteOrder.ANY, bytes(1, 100));
    assertBlock(new ApplicationDirectories(disks(root), JOB), ID, bytes(1, 100));
  }

  @Test
  void aBlockGoesToTheNextDiskWhenItsOwnIsBroken() throws IOException {
    write(store, ID, WriteOrder.ANY, bytes(1, 100));
    Path own = diskOf(ID);
    store.delete(ID);
    breakDown(own);
    write(store, ID, WriteOrder.ANY, bytes(2, 200));
    assertThat(diskOf(ID)).isNotEqualTo(own);
    assertBlock(store, ID, bytes(2, 200));
    repair(own);
    assertBlock(store, ID, bytes(2, 200));
    write(store, ID, WriteOrder.ANY, bytes(3, 300));
    assertThat(diskOf(ID)).isEqualTo(own);
    assertThat(store.usedBytes()).as("the block was withdrawn from the other").isEqualTo(300);
    assertBlock(store, ID, bytes(3, 300));
  }

  @Test
  void anOlderWriterOnAnotherDiskFails() throws IOException {
    write(store, ID, WriteOrder.ANY, bytes(1, 100));
    Path own = diskOf(ID);
    store.delete(ID);
    breakDown(own);
    try (BlockWriter older = store.create(ID, 1, WriteOrder.ANY)) {
      older.append(0, ByteBuffer.wrap(bytes(2, 200)), 0);
      repair(own);
      write(store, ID, WriteOrder.ANY, bytes(3, 300));
      assertThatThrownBy(older::commit).isInstanceOf(IOException.class);
    }
    assertBlock(store, ID, bytes(3, 300));
  }

  @Test
  void allDisksBrokenIsTold() throws IOException {
    for (Path disk : disks(root)) {
      breakDown(disk);
    }
    assertThatThrownBy(() -> store.create(ID, 1, WriteOrder.ANY))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("YARN's directory for this application is not there")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(DISKS - 1));
    assertThatThrownBy(() -> store.open(ID, new ReadStatistics()))
        .as("nobody knows whether it is missing")
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("Not a directory");
    store.delete(ID);
    for (Path disk : disks(root)) {
      repair(disk);
    }
  }

  @Test
  void aDamagedBlockIsNotAMissingOne() throws IOException {
    write(store, ID, WriteOrder.ANY, bytes(1, 100));
    Path index = diskOf(ID).resolve("output").resolve(ID.path()).resolve("file.out.index");
    byte[] bytes = Files.readAllBytes(index);
    bytes[3] ^= 1;
    Files.write(index, bytes);
    assertThatThrownBy(
            () -> new ApplicationDirectories(disks(root), JOB).open(ID, new ReadStatistics()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(index + " is damaged");
  }

  @Test
  void needsADirectory() {
    assertThatThrownBy(() -> new ApplicationDirectories(List.of(), JOB))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least one local directory");
  }

  @Test
  void tezsHandlerHasJobsApartAndOnlyTheLatestStays() throws IOException {
    BlockId first = new BlockId("attempt_1700000000000_0007_1_00_000000_0_1");
    BlockId second = new BlockId("attempt_1700000000000_0007_2_00_000000_0_1");
    ApplicationDirectories one = new ApplicationDirectories(disks(root), job(HandlerKind.TEZ, 1));
    ApplicationDirectories two = new ApplicationDirectories(disks(root), job(HandlerKind.TEZ, 2));
    write(one, first, WriteOrder.ANY, bytes(1, 100));
    write(two, second, WriteOrder.ANY, bytes(2, 100));

    assertThat(directoriesOf("dag_1/output/" + first.path())).hasSize(1);
    assertThat(directoriesOf("dag_2/output/" + second.path())).hasSize(1);

    two.deleteAllBut("attempt_1700000000000_0007_2_");

    assertThat(directoriesOf("dag_1")).isEmpty();
    assertBlock(two, second, bytes(2, 100));

    new ApplicationDirectories(disks(root), job(HandlerKind.TEZ, 3)).deleteAllBut("attempt_");

    assertThat(directoriesOf("dag_2")).isEmpty();
  }

  private List<Path> directoriesOf(String name) {
    return disks(root).stream().map(disk -> disk.resolve(name)).filter(Files::exists).toList();
  }
}
