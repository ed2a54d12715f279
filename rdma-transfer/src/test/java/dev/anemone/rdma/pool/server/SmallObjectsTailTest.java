// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.protocol.NameEntry;
import dev.anemone.rdma.pool.protocol.PageRef;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.StoredObject;
import dev.anemone.rdma.pool.server.tier.PoolMemory;
import dev.anemone.rdma.tcp.TcpTransportProvider;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which bytes go with a name. */
class SmallObjectsTailTest {

  private static final int PAGE = 4096;
  private static final int SELF = 1;
  private static final long INCARNATION = 77;
  private static final int LENGTH = 10;
  private static final byte[] BYTES = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  private static final List<TierOptions> TIERS = List.of(TierOptions.dram(2L * PAGE));

  private Transport transport;
  private PoolMemory memory;
  private PageTable pages;
  private SmallObjects small;

  @BeforeEach
  void open() throws IOException {
    transport = new TcpTransportProvider().open();
    memory = PoolMemory.open(transport, TIERS, PAGE, "none");
    pages = new PageTable(TIERS, PAGE, memory.generations(), memory.regions());
    // Names are not asked for bytes.
    small = new SmallObjects(SELF, INCARNATION, pages, memory.own(), null);
  }

  @AfterEach
  void close() {
    memory.close();
    transport.close();
  }

  private static Optional<NameEntry> entry(int server, long incarnation, Reply.Allocated page) {
    PageRef last =
        new PageRef(server, incarnation, page.tier(), page.number(), page.generation(), LENGTH, 0);
    StoredObject object =
        new StoredObject(
            new ObjectId(new UUID(1, 2), 3), "/o", LENGTH, 0, 0, Lifetime.POOL, List.of(last));
    return Optional.of(new NameEntry.OfObject(object));
  }

  private Reply.Allocated written() throws RefusedException {
    Reply.Allocated page = pages.allocate(this, TierKind.DRAM, TierKind.DRAM);
    memory.own().write(page.number(), ByteBuffer.wrap(BYTES));
    return page;
  }

  @Test
  void theLastBytesOfAPageThatIsHereGo() throws RefusedException {
    Optional<NameEntry> here = entry(SELF, INCARNATION, written());

    assertThat(small.tail(here, 3)).isEqualTo(ByteBuffer.wrap(new byte[] {7, 8, 9}));
    assertThat(small.tail(here, PAGE)).isEqualTo(ByteBuffer.wrap(BYTES));
    assertThat(small.tail(here, 0).hasRemaining()).isFalse();
    assertThat(small.tail(here, -1).hasRemaining()).isFalse();
    assertThat(small.tail(Optional.empty(), 3).hasRemaining()).isFalse();
  }

  @Test
  void thoseOfAnotherServerOrOfAFormerOneDoNot() throws RefusedException {
    Reply.Allocated page = written();

    assertThat(small.tail(entry(0, INCARNATION, page), 3).hasRemaining()).isFalse();
    assertThat(small.tail(entry(SELF, INCARNATION + 1, page), 3).hasRemaining()).isFalse();
  }

  @Test
  void whatWasFreedSinceItWasFoundDoesNot() throws RefusedException {
    Optional<NameEntry> freed = entry(SELF, INCARNATION, written());
    pages.releaseAll(this);
    written();

    assertThat(small.tail(freed, 3).hasRemaining()).isFalse();
  }
}
