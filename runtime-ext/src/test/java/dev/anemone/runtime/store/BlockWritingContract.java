// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

import static dev.anemone.runtime.store.BlockContents.assertBlock;
import static dev.anemone.runtime.store.BlockContents.bytes;
import static dev.anemone.runtime.store.BlockContents.direct;
import static dev.anemone.runtime.store.BlockContents.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How blocks are begun, written and committed in every block store. */
abstract class BlockWritingContract extends BlockStoreFixture {

  @ParameterizedTest
  @EnumSource(WriteOrder.class)
  void partitionsMayBeEmpty(WriteOrder order) throws IOException {
    byte[] none = {};
    byte[][] some = {none, bytes(1, 10), none, none, bytes(2, 20), none};
    write(store, ID, order, some);
    assertBlock(store, ID, some);
    byte[][] nothing = {none, none, none};
    write(store, OTHER, order, nothing);
    assertBlock(store, OTHER, nothing);
    assertThat(store.usedBytes()).isEqualTo(30);
  }

  @Test
  void emptyAppendsCountTheirRawBytes() throws IOException {
    try (BlockWriter writer = store.create(ID, 2, WriteOrder.BY_PARTITION)) {
      writer.append(0, ByteBuffer.allocate(0), 7);
      writer.append(1, ByteBuffer.wrap(bytes(1, 5)), 3);
      writer.append(1, ByteBuffer.wrap(bytes(2, 400_000)), 4);
      BlockIndex index = writer.commit();
      assertThat(index.rawLength(0)).isEqualTo(7);
      assertThat(index.storedLength(0)).isZero();
      assertThat(index.rawLength(1)).isEqualTo(7);
      assertThat(index.storedLength(1)).isEqualTo(400_005);
    }
  }

  @ParameterizedTest
  @EnumSource(WriteOrder.class)
  void manyPartitionsAreNoMatter(WriteOrder order) throws IOException {
    byte[][] partitions =
        IntStream.range(0, 5000).mapToObj(p -> bytes(p, p % 7 * 11)).toArray(byte[][]::new);
    write(store, ID, order, partitions);
    assertBlock(store, ID, partitions);
  }

  @ParameterizedTest
  @EnumSource(WriteOrder.class)
  void partitionsMayBeLarge(WriteOrder order) throws IOException {
    byte[] first = bytes(1, 3_000_001);
    byte[] second = bytes(2, 2_500_000);
    try (BlockWriter writer = store.create(ID, 2, order)) {
      for (int from = 0; from < first.length; from += 300_007) {
        int to = Math.min(first.length, from + 300_007);
        writer.append(0, direct(Arrays.copyOfRange(first, from, to)), 2L * (to - from));
      }
      writer.append(1, ByteBuffer.wrap(second), 2L * second.length);
      writer.commit();
    }
    assertBlock(store, ID, first, second);
  }

  @Test
  void theBufferBelongsToTheCallerAgain() throws IOException {
    byte[] expected = bytes(1, 1000);
    ByteBuffer buffer = ByteBuffer.allocate(3000);
    buffer.position(500).put(expected).flip().position(500);
    try (BlockWriter writer = store.create(ID, 1, WriteOrder.BY_PARTITION)) {
      writer.append(0, buffer, 2000);
      assertThat(buffer.position()).isEqualTo(buffer.limit()).isEqualTo(1500);
      Arrays.fill(buffer.array(), (byte) 0);
      writer.commit();
    }
    assertBlock(store, ID, expected);
  }

  @Test
  void nothingIsReadableBeforeTheCommit() throws IOException {
    try (BlockWriter writer = store.create(ID, 1, WriteOrder.BY_PARTITION)) {
      assertMissing(ID);
      writer.append(0, ByteBuffer.wrap(bytes(1, 400_000)), 800_000);
      assertMissing(ID);
      assertThat(store.usedBytes()).isZero();
      writer.commit();
    }
    assertBlock(store, ID, bytes(1, 400_000));
  }

  @ParameterizedTest
  @EnumSource(WriteOrder.class)
  void aWriterThatIsClosedLeavesNothing(WriteOrder order) throws IOException {
    try (BlockWriter writer = store.create(ID, 2, order)) {
      writer.append(1, ByteBuffer.wrap(bytes(1, 600_000)), 0);
    }
    assertMissing(ID);
    assertThat(store.usedBytes()).isZero();
    assertNothingLeft(root);
  }

  @Test
  void aBlockIsBegunAgainAfterItsWriterWasClosed() throws IOException {
    try (BlockWriter writer = store.create(ID, 2, WriteOrder.ANY)) {
      writer.append(1, ByteBuffer.wrap(bytes(1, 6000)), 0);
    }
    write(store, ID, WriteOrder.BY_PARTITION, bytes(2, 10));
    assertBlock(store, ID, bytes(2, 10));
  }

  @Test
  void aBlockIsBegunAgainAfterItsWriterWasAbandoned() throws IOException {
    try (BlockWriter abandoned = store.create(ID, 2, WriteOrder.ANY)) {
      abandoned.append(1, ByteBuffer.wrap(bytes(1, 600_000)), 0);
      try (BlockWriter writer = store.create(ID, 1, WriteOrder.BY_PARTITION)) {
        assertThatThrownBy(abandoned::commit)
            .isInstanceOf(IOException.class)
            .hasMessageContaining(ID.path())
            .hasMessageContaining("begun again");
        abandoned.close();
        writer.append(0, ByteBuffer.wrap(bytes(2, 10)), 20);
        writer.commit();
      }
    }
    assertBlock(store, ID, bytes(2, 10));
  }

  @Test
  void beginningACommittedBlockAgainWithdrawsIt() throws IOException {
    write(store, ID, WriteOrder.BY_PARTITION, bytes(1, 1000));
    try (BlockWriter writer = store.create(ID, 1, WriteOrder.BY_PARTITION)) {
      assertMissing(ID);
      assertThat(store.usedBytes()).isZero();
      writer.append(0, ByteBuffer.wrap(bytes(2, 10)), 20);
      writer.commit();
    }
    assertBlock(store, ID, bytes(2, 10));
    assertThat(store.usedBytes()).isEqualTo(10);
  }

  @Test
  void aBlockThatIsDeletedWhileItIsWrittenIsNotCommitted() throws IOException {
    try (BlockWriter writer = store.create(ID, 1, WriteOrder.BY_PARTITION)) {
      writer.append(0, ByteBuffer.wrap(bytes(1, 100)), 0);
      store.delete(ID);
      assertThatThrownBy(writer::commit)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("deleted");
    }
    assertMissing(ID);
    assertNothingLeft(root);
  }

  @Test
  void partitionsThatComeTooLateAreRefused() throws IOException {
    try (BlockWriter writer = store.create(ID, 3, WriteOrder.BY_PARTITION)) {
      writer.append(1, ByteBuffer.wrap(bytes(1, 5)), 10);
      assertThatThrownBy(() -> writer.append(0, ByteBuffer.allocate(5), 10))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("partition 0 of block dag_1/attempt_1 after partition 1");
      writer.commit();
    }
    assertBlock(store, ID, new byte[0], bytes(1, 5), new byte[0]);
  }

  @Test
  void badArgumentsAreRefused() throws IOException {
    for (int partitions : new int[] {0, -1}) {
      assertThatThrownBy(() -> store.create(ID, partitions, WriteOrder.ANY))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("at least one");
    }
    try (BlockWriter writer = store.create(ID, 3, WriteOrder.ANY)) {
      for (int partition : new int[] {3, -1}) {
        assertThatThrownBy(() -> writer.append(partition, ByteBuffer.allocate(5), 10))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("partition " + partition);
      }
      assertThatThrownBy(() -> writer.append(0, ByteBuffer.allocate(5), -10))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("-10 raw bytes");
      assertThat(writer.commit().storedBytes()).isZero();
    }
  }

  @Test
  void nothingIsAppendedAfterTheEnd() throws IOException {
    BlockWriter committed = store.create(ID, 1, WriteOrder.ANY);
    committed.commit();
    assertThatThrownBy(() -> committed.append(0, ByteBuffer.allocate(5), 5))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(committed::commit).isInstanceOf(IllegalStateException.class);
    committed.close();
    assertBlock(store, ID, new byte[0]);
    BlockWriter closed = store.create(OTHER, 1, WriteOrder.ANY);
    closed.close();
    closed.close();
    assertThatThrownBy(() -> closed.append(0, ByteBuffer.allocate(5), 5))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(closed::commit).isInstanceOf(IllegalStateException.class);
  }
}
