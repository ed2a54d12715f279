// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request.Named;
import dev.anemone.rdma.pool.protocol.Request.PageId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PageTableTest {

  private static final int PAGE = 4096;
  private static final Named OBJECT = new Named(new ObjectId(new UUID(1, 2), 3), "/object");

  private final ByteBuffer generations = ByteBuffer.allocateDirect(4 * Long.BYTES);
  private final PageTable table =
      new PageTable(List.of(TierOptions.dram(4L * PAGE)), PAGE, generations, List.of());
  private final Object writer = new Object();

  @Test
  void whatAWriterHasIsFreeAfterItsEndAndOfAnotherGeneration() throws RefusedException {
    PageId page = allocate(writer);
    allocate(writer);
    assertThat(table.openBytes()).isEqualTo(2 * PAGE);

    table.releaseAll(writer);

    assertThat(table.freePages().total()).isEqualTo(4);
    assertThat(generations.getLong(page.number() * Long.BYTES)).isEqualTo(page.generation() + 1);
  }

  @Test
  void aCommitAfterTheEndOfTheLeaseFindsNothing() throws RefusedException {
    PageId page = allocate(writer);
    table.releaseAll(writer);

    assertThatThrownBy(() -> table.seal(OBJECT, List.of(page)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("lease");
    PageId reused = allocate(new Object());
    assertThat(reused.number()).isEqualTo(page.number());
    assertThatThrownBy(() -> table.seal(OBJECT, List.of(page)))
        .as("a page that is another writer's by now")
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void pagesThatThereAreNotAreRefused() throws RefusedException {
    allocate(writer);
    for (int number : new int[] {-1, 4, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      List<PageId> pages = List.of(new PageId(number, 0));
      assertThatThrownBy(() -> table.seal(OBJECT, pages))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("no page " + number);
      assertThatThrownBy(() -> table.release(writer, pages)).isInstanceOf(RefusedException.class);
    }
    assertThat(table.freePages().total()).isEqualTo(3);
  }

  @Test
  void whatIsSealedOutlivesItsWriter() throws RefusedException {
    PageId page = allocate(writer);
    PageId other = allocate(writer);
    table.seal(OBJECT, List.of(page));
    table.seal(OBJECT, List.of(page));

    table.releaseAll(writer);

    assertThat(table.sealedBytes()).isEqualTo(PAGE);
    assertThat(table.openBytes()).isZero();
    assertThatThrownBy(() -> table.seal(OBJECT, List.of(page, other)))
        .isInstanceOf(RefusedException.class);
    table.free(OBJECT.id());
    table.free(OBJECT.id());
    assertThat(table.freePages().total()).isEqualTo(4);
  }

  @Test
  void anObjectThatIsSealedAgainMeanwhileIsNotFreed() throws RefusedException {
    PageId page = allocate(writer);
    table.seal(OBJECT, List.of(page));
    PageTable.SealedObject seen = table.sealedObjects().get(0);
    table.seal(OBJECT, List.of(page));

    table.freeUnlessSealedAgain(seen);
    assertThat(table.sealedBytes()).isEqualTo(PAGE);

    table.freeUnlessSealedAgain(table.sealedObjects().get(0));
    assertThat(table.freePages().total()).isEqualTo(4);
  }

  @Test
  void pagesOfOthersCannotBeReleased() throws RefusedException {
    PageId page = allocate(writer);
    Object stranger = new Object();
    PageId own = allocate(stranger);

    assertThatThrownBy(() -> table.release(stranger, List.of(own, page)))
        .isInstanceOf(RefusedException.class);
    assertThat(table.openBytes()).isEqualTo(2 * PAGE);
    table.release(stranger, List.of(own, own));

    assertThat(table.freePages().total()).isEqualTo(3);
  }

  private PageId allocate(Object writer) throws RefusedException {
    Reply.Allocated allocated = table.allocate(writer, TierKind.DRAM, TierKind.FILE);
    return new PageId(allocated.number(), allocated.generation());
  }
}
