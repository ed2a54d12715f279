// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What every transport promises of memory, the user's and its own. */
abstract class TransportMemoryContract extends TransportMisuseContract {

  @Test
  void allOfADirectBufferIsRegistered() throws Exception {
    TestPeer here = peer(KB);
    ByteBuffer part = ByteBuffer.allocateDirect(100).position(30).limit(60);
    MemoryRegion region = closing(here.transport().register(part));
    assertThat(region.memory().capacity()).isEqualTo(100);
    assertThat(region.memory().remaining()).isEqualTo(100);
    assertThat(region.remote().length()).isEqualTo(100);
    assertThatThrownBy(() -> here.transport().register(ByteBuffer.allocate(10)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(here.transport().name()).isEqualTo(provider().name());
  }

  @Test
  void allocatedMemoryIsZeroAndBeginsAtAPage() throws Exception {
    Transport transport = peer(KB).transport();
    for (int bytes : new int[] {1, Transport.PAGE_BYTES, 3 * Transport.PAGE_BYTES + 5}) {
      MemoryRegion region = closing(transport.allocate(bytes));
      ByteBuffer memory = region.memory();
      assertThat(memory.isDirect()).isTrue();
      assertThat(memory.remaining()).isEqualTo(bytes).isEqualTo(memory.capacity());
      assertThat(region.remote().length()).isEqualTo(bytes);
      assertThat(memory.alignmentOffset(0, Transport.PAGE_BYTES)).isZero();
      assertThat(memory).isEqualTo(ByteBuffer.allocate(bytes));
    }
    for (int bytes : new int[] {0, -1, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> transport.allocate(bytes))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** A thread that is late with a buffer must not end the process. */
  @Test
  void allocatedMemoryCanBeUsedAfterItsRegion() throws Exception {
    TestPeer there = peer(KB);
    TestPeer here = peer(KB);
    ByteBuffer late;
    try (MemoryRegion region = there.transport().allocate(MB)) {
      Connection connection = here.connectTo(there, handler());
      here.fill(0, new byte[] {7});
      write(connection, here.region(), 0, 1, region.remote(), MB - 1);
      flush(connection);
      late = region.memory().slice(MB - 1, 1);
    }
    System.gc();
    assertThat(late.get(0)).isEqualTo((byte) 7);
    late.put(0, (byte) 8);
  }
}
