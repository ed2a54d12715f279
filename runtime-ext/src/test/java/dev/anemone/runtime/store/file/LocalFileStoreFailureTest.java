// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import static dev.anemone.runtime.store.BlockContents.bytes;
import static dev.anemone.runtime.store.BlockContents.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.store.BlockContents;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.testing.Requirement;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalFileStoreFailureTest {

  private static final BlockId ID = new BlockId("dag_1/attempt_1");

  @TempDir Path root;

  private LocalFileStore store;

  @BeforeEach
  void open() {
    store = new LocalFileStore(root);
  }

  private Path data() {
    return root.resolve(ID.path()).resolve("file.out");
  }

  private Path index() {
    return root.resolve(ID.path()).resolve("file.out.index");
  }

  private BlockReader reopen() throws IOException {
    return new LocalFileStore(root).open(ID, new ReadStatistics());
  }

  @Test
  void aFileThatIsCutOffIsNamed() throws IOException {
    write(store, ID, WriteOrder.BY_PARTITION, bytes(1, 100), bytes(2, 100));
    try (RandomAccessFile file = new RandomAccessFile(data().toFile(), "rw")) {
      file.setLength(150);
    }
    ReadStatistics statistics = new ReadStatistics();
    try (BlockReader reader = store.open(ID, statistics)) {
      reader.read(0, 0, ByteBuffer.allocate(100));
      reader.read(1, 0, ByteBuffer.allocate(50));
      assertThatThrownBy(() -> reader.read(1, 0, ByteBuffer.allocate(100)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("block dag_1/attempt_1 is cut off in partition 1")
          .hasMessageContaining("ends at byte 150")
          .hasMessageContaining("ends at byte 200")
          .hasStackTraceContaining(data().toString());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 8, 30, 47, 55, 57})
  void anIndexOfWrongLengthIsRefused(int length) throws IOException {
    write(store, ID, WriteOrder.BY_PARTITION, bytes(1, 100), bytes(2, 100));
    try (RandomAccessFile file = new RandomAccessFile(index().toFile(), "rw")) {
      file.setLength(length);
    }
    assertThatThrownBy(this::reopen)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(index() + " is not a whole index: it has " + length + " bytes");
  }

  @Test
  void anIndexThatLostAPartitionIsRefused() throws IOException {
    write(store, ID, WriteOrder.BY_PARTITION, bytes(1, 100), bytes(2, 100));
    try (RandomAccessFile file = new RandomAccessFile(index().toFile(), "rw")) {
      file.setLength(32);
    }
    assertThatThrownBy(this::reopen)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("index " + index() + " is damaged");
  }

  @Test
  void everyFlippedBitOfAnIndexIsFound() throws IOException {
    write(store, ID, WriteOrder.BY_PARTITION, bytes(1, 100), bytes(2, 100));
    byte[] good = Files.readAllBytes(index());
    for (int bit = 0; bit < 8 * good.length; bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << (bit % 8));
      Files.write(index(), bad, StandardOpenOption.TRUNCATE_EXISTING);
      assertThatThrownBy(this::reopen)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is damaged");
    }
  }

  /** A part of an index is read without its checksum. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void everyFlippedBitOfThePlaceOfAWantedPartitionIsFound(int partition) throws IOException {
    write(store, ID, WriteOrder.BY_PARTITION, bytes(1, 9), bytes(2, 7), new byte[0], bytes(3, 5));
    byte[] good = Files.readAllBytes(index());
    for (int number : new int[] {0, 2}) {
      int at = 24 * partition + 8 * number;
      for (int bit = 0; bit < Long.SIZE; bit++) {
        byte[] bad = good.clone();
        bad[at + bit / 8] ^= (byte) (1 << (bit % 8));
        Files.write(index(), bad, StandardOpenOption.TRUNCATE_EXISTING);
        assertThatThrownBy(
                () ->
                    new LocalFileStore(root)
                        .open(
                            ID,
                            List.of(new HashRange(partition, partition + 1)),
                            new ReadStatistics()))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("is damaged");
      }
    }
  }

  @Test
  void aFileInTheWayIsNamed() throws IOException {
    Path inTheWay = Files.createFile(root.resolve("dag_1"));
    assertThatThrownBy(() -> store.create(ID, 1, WriteOrder.ANY))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot begin " + data())
        .hasRootCauseInstanceOf(IOException.class);
    Files.delete(inTheWay);
  }

  @ParameterizedTest
  @EnumSource(WriteOrder.class)
  void anInterruptedWriterLeavesNothing(WriteOrder order) throws IOException {
    try (BlockWriter writer = store.create(ID, 1, order)) {
      writer.append(0, ByteBuffer.wrap(bytes(1, 700_000)), 0);
      Thread.currentThread().interrupt();
      InterruptedIOException failure =
          catchThrowableOfType(
              InterruptedIOException.class,
              () -> writer.append(0, ByteBuffer.wrap(bytes(2, 700_000)), 0));
      assertThat(Thread.interrupted()).isTrue();
      assertThat(failure).hasMessageContaining(data().toString());
      assertThatThrownBy(writer::commit)
          .isInstanceOf(IllegalStateException.class)
          .hasCause(failure);
      LocalFileStoreTest.assertEmpty(root);
    } finally {
      assertThat(Thread.interrupted()).isFalse();
    }
    LocalFileStoreTest.assertEmpty(root);
  }

  @ParameterizedTest
  @EnumSource(WriteOrder.class)
  void anInterruptedCommitLeavesNothing(WriteOrder order) throws IOException {
    try (BlockWriter writer = store.create(ID, 1, order)) {
      writer.append(0, ByteBuffer.wrap(bytes(1, 500)), 0);
      Thread.currentThread().interrupt();
      assertThatThrownBy(writer::commit).isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
      LocalFileStoreTest.assertEmpty(root);
    }
    assertThat(store.usedBytes()).isZero();
  }

  @Test
  void anInterruptedReaderIsTold() throws IOException {
    write(store, ID, WriteOrder.BY_PARTITION, bytes(1, 100));
    try (BlockReader reader = store.open(ID, new ReadStatistics())) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> reader.read(0, 0, ByteBuffer.allocate(10)))
          .isInstanceOf(InterruptedIOException.class)
          .hasMessageContaining(data().toString());
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(WriteOrder.class)
  void aFullDiskIsToldAndItsSpaceGivenBack(WriteOrder order) throws Exception {
    Requirement.ROOT.check(
        run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", root.toString()) == 0,
        "a full disk is not tested, since this user may not mount a tmpfs");
    try {
      long usable = root.toFile().getUsableSpace();
      try (BlockWriter writer = store.create(ID, 2, order)) {
        writer.append(0, ByteBuffer.wrap(bytes(1, 600_000)), 0);
        assertThatThrownBy(() -> writer.append(1, ByteBuffer.wrap(bytes(2, 600_000)), 0))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(data().toString())
            .hasMessageContaining("cannot write")
            .hasMessageContaining("0 bytes of usable space left")
            .hasMessageContaining("No space left on device")
            .hasCauseInstanceOf(IOException.class);
        assertThat(root.toFile().getUsableSpace()).isEqualTo(usable);
      }
      write(store, ID, order, bytes(3, 600_000));
      BlockContents.assertBlock(store, ID, bytes(3, 600_000));
      store.delete(ID);
      LocalFileStoreTest.assertEmpty(root);
    } finally {
      assertThat(run("umount", root.toString())).isZero();
    }
  }

  private static int run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }
}
