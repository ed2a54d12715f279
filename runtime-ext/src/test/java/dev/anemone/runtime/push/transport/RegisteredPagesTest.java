// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.transport.ForwardingTransport;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.Transports;
import dev.anemone.runtime.memory.PagePlace;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose memory the pages are that are pushed. */
class RegisteredPagesTest {

  private static final int PAGES = 4;

  private final PagePool pool = new PagePool((long) PAGES * PagePool.PAGE_BYTES);
  private final TaskMemory memory = new TaskMemory(pool, pool.maxBytes());
  private CountingTransport transport;

  /** Counts how memory comes to be registered; has no more when that is asked for. */
  private static final class CountingTransport extends ForwardingTransport {
    private int registered;
    private int allocated;
    private boolean full;

    CountingTransport() throws IOException {
      super(Transports.found().open("tcp"));
    }

    @Override
    public MemoryRegion register(ByteBuffer bytes) throws IOException {
      registered++;
      return super.register(bytes);
    }

    @Override
    public MemoryRegion allocate(int bytes) throws IOException {
      if (full) {
        throw new IOException("no shared memory is left");
      }
      allocated++;
      return super.allocate(bytes);
    }
  }

  @BeforeEach
  void open() throws IOException {
    transport = new CountingTransport();
  }

  @AfterEach
  void close() {
    // It throws when a region is still registered.
    transport.close();
  }

  private static ByteBuffer bytesOf(MemoryRegion region, PagePlace place) {
    return region.memory().slice(place.offset(), PagePool.PAGE_BYTES);
  }

  @Test
  void slabsAreTheTransportsOwn() throws IOException {
    try (RegisteredPages pages = RegisteredPages.of(transport, pool)) {
      for (int i = 0; i < PAGES; i++) {
        ByteBuffer page = memory.tryTake().putInt(0, i);
        PagePlace place = pages.placeOf(page);

        assertThat(bytesOf(pages.region(place), place).getInt(0)).isEqualTo(i);
      }
      assertThat(transport.allocated).isEqualTo(PAGES);
      assertThat(transport.registered).isZero();
    }
  }

  @Test
  void slabsThatWereThereBeforeAreRegistered() throws IOException {
    ByteBuffer before = memory.tryTake().putInt(0, 7);
    try (RegisteredPages pages = RegisteredPages.of(transport, pool)) {
      PagePlace place = pages.placeOf(before);

      assertThat(bytesOf(pages.region(place), place).getInt(0)).isEqualTo(7);
      assertThat(pages.region(place)).isSameAs(pages.region(place));
      assertThat(transport.registered).isEqualTo(1);
      assertThat(transport.allocated).isZero();
    }
  }

  @Test
  void whereTheTransportHasNoMemoryThatOfTheJvmIsRegistered() throws IOException {
    transport.full = true;
    try (RegisteredPages pages = RegisteredPages.of(transport, pool)) {
      PagePlace place = pages.placeOf(memory.tryTake());

      assertThat(pages.region(place).memory().capacity()).isEqualTo(PagePool.PAGE_BYTES);
      assertThat(transport.registered).isEqualTo(1);
    }
  }

  @Test
  void pagesOutliveTheTransport() throws IOException {
    ByteBuffer page;
    PagePlace place;
    RegisteredPages pages = RegisteredPages.of(transport, pool);
    try (pages) {
      page = memory.tryTake().putInt(0, 9);
      place = pages.placeOf(page);
    }
    assertThat(page.getInt(0)).isEqualTo(9);
    assertThatThrownBy(() -> pages.region(place)).isInstanceOf(IOException.class);
    memory.tryTake();
    assertThat(transport.allocated).as("the second page is the JVM's").isEqualTo(1);
  }
}
