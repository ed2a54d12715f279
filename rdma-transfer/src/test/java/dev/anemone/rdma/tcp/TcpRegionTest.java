// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.rdma.transport.Await;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class TcpRegionTest {

  /** Long against the nanoseconds that closing takes when there is nothing to wait for. */
  private static final long MOMENT_MILLIS = 200;

  @Test
  void closingWaitsForTheSystemCallsThatUseTheMemory() throws Exception {
    TcpRegion region = new RegionTable().add(ByteBuffer.allocateDirect(8));
    assertThat(region.pin()).isTrue();
    Thread closing = new Thread(region::close);
    closing.start();
    Await.until("nothing can pin it any longer", () -> !pinned(region));
    closing.join(MOMENT_MILLIS);
    assertThat(closing.isAlive()).as("waits").isTrue();
    region.unpin();
    closing.join(Await.PATIENCE.toMillis());
    assertThat(closing.isAlive()).as("still waits").isFalse();
    region.close();
  }

  private static boolean pinned(TcpRegion region) {
    boolean pinned = region.pin();
    if (pinned) {
      region.unpin();
    }
    return pinned;
  }
}
