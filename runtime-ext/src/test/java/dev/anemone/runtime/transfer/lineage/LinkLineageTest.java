// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.lineage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import dev.anemone.runtime.transfer.announcement.Source;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LinkLineageTest {

  private static InputEvent.Announced announced(int source, int attempt, long digest) {
    return new InputEvent.Announced(
        new Source("producer", source),
        attempt,
        BlockAnnouncement.ofBlock(
            new Producer(source, attempt),
            new BlockId("block"),
            DataStore.LOCAL_FILE,
            Optional.empty(),
            new BitSet(),
            true,
            digest));
  }

  private static LinkLineage lineage(InputEvent.Announced... taken) {
    LinkLineage lineage = new LinkLineage(2);
    List.of(taken).forEach(lineage::took);
    return lineage;
  }

  @Test
  void whatWasReadInAnotherOrderIsTheSame() {
    assertThat(lineage(announced(0, 0, 5), announced(1, 0, 7)).digest())
        .isPresent()
        .isEqualTo(lineage(announced(1, 3, 7), announced(0, 1, 5)).digest());
  }

  @Test
  void versionsOfOneProducerAreNotThoseOfAnother() {
    assertThat(lineage(announced(0, 0, 5), announced(1, 0, 7)).digest())
        .isNotEqualTo(lineage(announced(0, 0, 7), announced(1, 0, 5)).digest());
  }

  @Test
  void whoHasNotReadAllSaysNothing() {
    LinkLineage lineage = lineage(announced(0, 0, 5), announced(1, 0, 7));
    lineage.dropped(1);
    assertThat(lineage.digest()).isEmpty();
    lineage.took(announced(1, 1, 7));
    assertThat(lineage.digest())
        .isEqualTo(lineage(announced(0, 0, 5), announced(1, 0, 7)).digest());
  }

  @Test
  void anotherAttemptWithTheSameOutputOutdatesNothing() {
    LinkLineage lineage = lineage(announced(0, 0, 5));
    assertThat(lineage.isOutdatedBy(List.of(announced(0, 1, 5), announced(1, 0, 9)))).isFalse();
    assertThat(lineage.isOutdatedBy(List.of(announced(1, 0, 9), announced(0, 1, 6)))).isTrue();
  }
}
