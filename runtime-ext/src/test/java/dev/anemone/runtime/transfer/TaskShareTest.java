// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.ProducerClasses;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What of a block a task reads. */
class TaskShareTest {

  private static final int LAST = 9;

  @Test
  void rangesWithoutAFilledPartitionNeedNotBeRead() {
    List<HashRange> ranges =
        List.of(
            new HashRange(0, 2),
            new HashRange(2, 3),
            new HashRange(3, 7),
            new HashRange(6, 9),
            new HashRange(0, 9));
    TaskShare share = new TaskShare(0, ranges, new TreeMap<>());
    assertThat(share.in(block(ProducerClasses.NONE, 2, 7)))
        .containsExactly(new HashRange(2, 3), new HashRange(7, 8), new HashRange(2, 8));
  }

  @Test
  void ofALargePartitionOnlyTheClassesOfTheShareAreRead() {
    ProducerClasses classes = new ProducerClasses(LAST + 1, List.of(5));
    int first = classes.stored(0).from();
    BlockAnnouncement block = block(classes, 2, first, first + 1, first + 2, first + 4);

    assertThat(divided(0, 0, 1, 2).stored(block)).isEqualTo(bits(2, first));
    assertThat(divided(1, 0, 1, 2).stored(block)).isEqualTo(bits(2, first + 1, first + 4));
    assertThat(divided(1, 0, 1, 2).in(block)).containsExactly(new HashRange(2, 6));
    // Of seven shares, each may be anywhere.
    assertThat(divided(3, 0, 1, 2, 3, 4, 5, 6).stored(block))
        .isEqualTo(bits(2, first, first + 1, first + 2, first + 4));
  }

  @Test
  void aLargePartitionOfWhichAShareHasNothingEndsNoRange() {
    ProducerClasses classes = new ProducerClasses(LAST + 1, List.of(5));
    BlockAnnouncement block = block(classes, 2, classes.stored(0).from() + 1);

    assertThat(divided(0, 0, 1).in(block)).containsExactly(new HashRange(2, 3));
    assertThat(divided(0, 0, 1).stored(block)).isEqualTo(bits(2));
  }

  private static TaskShare divided(int task, int... tasks) {
    TreeMap<Integer, PartitionDivision> divisions = new TreeMap<>();
    divisions.put(5, new PartitionDivision(5, IntStream.of(tasks).boxed().toList(), false));
    return new TaskShare(task, List.of(new HashRange(0, LAST + 1)), divisions);
  }

  private static BlockAnnouncement block(ProducerClasses classes, int... filled) {
    return new BlockAnnouncement(
        new Producer(0, 0),
        Optional.of(new BlockId("b")),
        DataStore.LOCAL_FILE,
        Optional.empty(),
        bits(filled),
        false,
        true,
        List.of(),
        List.of(),
        classes,
        0);
  }

  private static BitSet bits(int... bits) {
    BitSet set = new BitSet();
    IntStream.of(bits).forEach(set::set);
    return set;
  }
}
