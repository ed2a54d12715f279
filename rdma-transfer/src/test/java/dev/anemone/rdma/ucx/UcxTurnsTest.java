// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.rdma.transport.Await;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.Outcomes;
import dev.anemone.rdma.transport.RecordingHandler;
import dev.anemone.rdma.transport.TestPeer;
import dev.anemone.testing.Requirement;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Operations that their callers begin by themselves. */
@Tag("slow")
@ExtendWith(RequiresUcx.class)
class UcxTurnsTest {

  private static final int BYTES = 64 << 10;
  private static final int AT_ONCE = 100;

  private final UcxTransportProvider provider = new UcxTransportProvider();
  private final RecordingHandler handler = new RecordingHandler();

  @BeforeEach
  void hasSharedMemory() {
    String transports = System.getenv("UCX_TLS");
    Requirement.UCX.check(
        transports == null || transports.startsWith("^") || transports.contains("shm"),
        "UCX may not use shared memory");
  }

  @Test
  void readsAndWritesOfSharedMemoryEndOnTheThreadThatCalls() throws Exception {
    try (TestPeer here = new TestPeer(provider, BYTES, RecordingHandler::new);
        TestPeer there = new TestPeer(provider, BYTES, RecordingHandler::new);
        Connection connection = here.connectTo(there, handler)) {
      Attempts reads = new Attempts();
      Await.until(
          "reads that end at once",
          () ->
              reads.makeBurst(
                  bytes -> {
                    there.fill(0, bytes);
                    reads.began();
                    connection.read(there.remote(), 0, here.region(), 0, BYTES, reads::ended);
                    reads.awaitEnd();
                    assertThat(here.bytes(0, BYTES)).isEqualTo(bytes);
                  }));
      Attempts writes = new Attempts();
      Await.until(
          "writes that end at once",
          () ->
              writes.makeBurst(
                  bytes -> {
                    here.fill(0, bytes);
                    writes.began();
                    connection.write(here.region(), 0, BYTES, there.remote(), 0, writes::ended);
                    writes.awaitEnd();
                    Outcomes flushed = new Outcomes();
                    connection.flush(flushed);
                    flushed.awaitEnded(1);
                    assertThat(there.bytes(0, BYTES)).isEqualTo(bytes);
                  }));
    }
    handler.verify();
  }

  /**
   * One operation after the other; those count that have ended when the call returns. They come at
   * once after each other: UCX's thread sleeps a millisecond after the last, and then has to begin
   * the next.
   */
  private static final class Attempts {

    private final AtomicReference<Thread> ender = new AtomicReference<>();
    private int count;
    private int atOnce;

    /** Makes some, each with bytes of its own; returns whether enough have ended at once. */
    boolean makeBurst(Consumer<byte[]> attempt) {
      for (int i = 0; i < AT_ONCE; i++) {
        byte[] bytes = new byte[BYTES];
        Arrays.fill(bytes, (byte) ++count);
        attempt.accept(bytes);
      }
      return atOnce >= AT_ONCE;
    }

    void began() {
      ender.set(null);
    }

    void ended(Exception failure) {
      assertThat(failure).isNull();
      ender.set(Thread.currentThread());
    }

    void awaitEnd() {
      long deadline = System.nanoTime() + Await.PATIENCE.toNanos();
      while (ender.get() == null) {
        assertThat(System.nanoTime() - deadline).as("ns after the deadline").isNegative();
        Thread.onSpinWait();
      }
      atOnce += ender.get() == Thread.currentThread() ? 1 : 0;
    }
  }
}
