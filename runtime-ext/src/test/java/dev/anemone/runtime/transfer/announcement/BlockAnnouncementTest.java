// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.announcement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.store.BlockId;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class BlockAnnouncementTest {

  @Property(tries = 100)
  void survivesTheWayThroughAnEvent(
      @ForAll int task,
      @ForAll long[] partitions,
      @ForAll boolean hasBlock,
      @ForAll DataStore store,
      @ForAll boolean singleRuns,
      @ForAll boolean complete,
      @ForAll List<Integer> receivers) {
    BlockAnnouncement announcement =
        new BlockAnnouncement(
            new Producer(task, 3),
            hasBlock ? Optional.of(new BlockId("job/output/attempt")) : Optional.empty(),
            store,
            hasBlock ? Optional.of(new BlockLocation("node" + task, 13562)) : Optional.empty(),
            BitSet.valueOf(partitions),
            singleRuns,
            complete,
            receivers.stream()
                .map(r -> new BlockAnnouncement.Pushed(r, r & 3, bits(1, 70)))
                .toList(),
            receivers.stream().map(r -> new Producer(r, 1)).toList(),
            receivers.isEmpty()
                ? ProducerClasses.NONE
                : new ProducerClasses(task, List.copyOf(receivers)),
            task * 0x123456789abcdefL);
    assertThat(BlockAnnouncement.of(announcement.toBytes())).isEqualTo(announcement);
  }

  @Test
  void whatIsKeptIsReadByAttemptsThatItWasNotPushedTo() {
    BlockAnnouncement kept = pushed(true);
    assertThat(kept.pushedTo(2, 1)).isPresent();
    assertThat(kept.inBlockFor(2, 1, bits(3, 4))).isEqualTo(bits());
    assertThat(kept.pushedTo(2, 0)).isEmpty();
    assertThat(kept.inBlockFor(2, 0, bits(3, 4))).isEqualTo(bits(3));
    assertThat(kept.inBlockFor(5, 1, bits(3, 4))).isEqualTo(bits(3));
  }

  @Test
  void whatIsNotKeptHasToBeWhereItWasPushed() {
    BlockAnnouncement fallenBack = pushed(false);
    assertThat(fallenBack.pushedTo(2, 1)).isPresent();
    assertThat(fallenBack.pushedTo(2, 0)).isPresent();
    assertThat(fallenBack.pushedTo(5, 1)).isEmpty();
    assertThat(fallenBack.inBlockFor(2, 1, bits(3, 4))).isEqualTo(bits(3));
    assertThat(fallenBack.inBlockFor(2, 0, bits(3, 4))).isEqualTo(bits(3));
  }

  /**
   * Of a producer that has pushed one batch to attempt 1 of task 2; its block has two partitions.
   */
  private static BlockAnnouncement pushed(boolean complete) {
    return new BlockAnnouncement(
        new Producer(0, 0),
        Optional.of(new BlockId("job/output/attempt")),
        DataStore.LOCAL_FILE,
        Optional.empty(),
        bits(1, 3),
        false,
        complete,
        List.of(new BlockAnnouncement.Pushed(2, 1, bits(0))),
        List.of(),
        ProducerClasses.NONE,
        0);
  }

  /** Each of thousands of producers tells each of hundreds of aggregation tasks all of this. */
  @Test
  void whatWasPushedToManyTakesFewBytes() {
    BlockAnnouncement announcement =
        new BlockAnnouncement(
            new Producer(9_999, 0),
            Optional.empty(),
            DataStore.LOCAL_FILE,
            Optional.empty(),
            new BitSet(),
            false,
            false,
            IntStream.range(0, 500)
                .mapToObj(
                    task -> new BlockAnnouncement.Pushed(task, task % 50 == 7 ? 1 : 0, bits(0, 1)))
                .toList(),
            List.of(),
            ProducerClasses.NONE,
            0);
    assertThat(announcement.toBytes().remaining()).isLessThan(150);
    assertThat(BlockAnnouncement.of(announcement.toBytes())).isEqualTo(announcement);
  }

  /** The master has one for each producer, and one bit for each partition would be many. */
  @Test
  void whatHasSomethingForEveryPartitionTakesFewBytes() {
    BitSet all = new BitSet();
    all.set(0, 100_000);
    BlockAnnouncement announcement = ofPartitions(all);
    assertThat(announcement.toBytes().remaining()).isLessThan(50);
    assertThat(BlockAnnouncement.of(announcement.toBytes())).isEqualTo(announcement);
    all.clear(70_000);
    all.clear(9, 12);
    assertThat(BlockAnnouncement.of(ofPartitions(all).toBytes()).partitions()).isEqualTo(all);
  }

  @Test
  void whatHasSomethingForFewPartitionsTakesFewBytes() {
    BlockAnnouncement announcement = ofPartitions(bits(17, 50_000, 99_999));
    assertThat(announcement.toBytes().remaining()).isLessThan(50);
    assertThat(BlockAnnouncement.of(announcement.toBytes())).isEqualTo(announcement);
  }

  private static BlockAnnouncement ofPartitions(BitSet partitions) {
    return BlockAnnouncement.ofBlock(
        new Producer(0, 0),
        new BlockId("b"),
        DataStore.LOCAL_FILE,
        Optional.empty(),
        partitions,
        true,
        0);
  }

  @Test
  void otherBytesAreNoAnnouncement() {
    assertThatThrownBy(() -> BlockAnnouncement.of(ByteBuffer.wrap(new byte[] {1, 2, 3})))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 bytes");
  }

  @Test
  void aLengthBeyondTheEndIsNoAnnouncement() {
    // 2^31 - 1, -1, and what is no number.
    for (int last : new int[] {0x07, 0x0f, 0xff}) {
      ByteBuffer bytes = ByteBuffer.allocate(20).putInt(2, -1).put(6, (byte) last);
      assertThatThrownBy(() -> BlockAnnouncement.of(bytes))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("20 bytes");
    }
  }

  private static BitSet bits(int... bits) {
    BitSet set = new BitSet();
    for (int bit : bits) {
      set.set(bit);
    }
    return set;
  }
}
