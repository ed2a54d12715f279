// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.format.Producer;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Tasks that push the same chunk again and again to one receiver, with nothing of a test's own. */
final class PushLoad implements AutoCloseable {

  static final int CHUNK_BYTES = 4 << 10;
  private static final int SENDER_PAGES = 32;

  private final PushWires wires;
  private final TaskMemory sending;
  private final TaskMemory receiving;
  private final PushReceiver receiver;
  private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
  private int tasks;

  /**
   * A load.
   *
   * @param taskBytes the most that one task pushes
   */
  PushLoad(PushWires wires, PagePool pool, long taskBytes) throws IOException {
    this.wires = wires;
    this.sending = new TaskMemory(pool, (long) SENDER_PAGES * PagePool.PAGE_BYTES);
    this.receiving = new TaskMemory(pool, taskBytes + taskBytes / 8);
    this.receiver =
        PushReceiver.open(
            wires,
            InetAddress.getLoopbackAddress(),
            new PushReceiver.Settings(PushHarness.JOB),
            receiving,
            () -> {});
  }

  /** A task pushes so many bytes, which are taken and given back; returns what arrived. */
  long push(long bytes) throws IOException, InterruptedException {
    Producer producer = new Producer(tasks++, 0);
    try (PushSender sender =
        new PushSender(
            new PushSender.Settings(PushHarness.JOB, producer),
            wires,
            sending,
            partition -> 0,
            1,
            target -> Optional.of(receiver.address()),
            () -> {
              throw new IOException("there was to be no fallback");
            })) {
      for (long sent = 0; sent < bytes; sent += CHUNK_BYTES) {
        sender.accept(0, chunk.clear(), CHUNK_BYTES);
      }
      PushOutcome outcome = sender.finish();
      try (PushedBatches taken =
          receiver.take(producer, outcome.pushed().get(0).batches()).orElseThrow()) {
        return taken.bytes();
      }
    }
  }

  long batches() {
    return receiver.counters().batches();
  }

  @Override
  public void close() {
    receiver.close();
    receiving.close();
    sending.close();
  }
}
