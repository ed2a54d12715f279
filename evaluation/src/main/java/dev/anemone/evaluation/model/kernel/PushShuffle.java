// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import dev.anemone.evaluation.model.kernel.KernelRecords.KernelCheck;
import dev.anemone.evaluation.model.kernel.ShuffleKernel.KernelShape;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.push.PushOutcome;
import dev.anemone.runtime.push.PushReceiver;
import dev.anemone.runtime.push.PushSender;
import dev.anemone.runtime.push.PushedBatches;
import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.push.wires.InstalledWires;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.shuffle.merge.WriteStatistics;
import dev.anemone.runtime.shuffle.merge.WriterSettings;
import dev.anemone.runtime.shuffle.write.ShuffleWriter;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.WriteOrder;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Optional;

/**
 * A shuffle whose writer pushes to a receiver over TCP, as producers push to an aggregation task;
 * what the receiver got becomes a block, which is read partition by partition.
 */
record PushShuffle(PagePool pool, BlockStore store) {
  private static final String JOB = "allocation";
  private static final Producer PRODUCER = new Producer(0, 0);

  /** The part of the writer's memory for what is on its way, as in the runtime. */
  private static final int SENDING_SHARE = 4;

  /** A receiver keeps what is pushed until its producer has ended. */
  private static final double RECEIVER_BYTES_PER_BYTE = 1.5;

  /**
   * Shuffles, and deletes the block.
   *
   * @throws IOException if not all could be pushed, among others
   */
  KernelCheck shuffle(KernelShape shape) throws IOException, InterruptedException {
    try {
      push(shape);
      return new StoreShuffle(pool, store).readAll(shape);
    } finally {
      store.delete(StoreShuffle.BLOCK);
    }
  }

  static long poolBytes(KernelShape shape) {
    return shape.memoryBytes() + receiverBytes(shape);
  }

  private static long receiverBytes(KernelShape shape) {
    return (long) (shape.records() * KernelRecords.RECORD_BYTES * RECEIVER_BYTES_PER_BYTE)
        + shape.memoryBytes();
  }

  private void push(KernelShape shape) throws IOException, InterruptedException {
    try (TaskMemory memory = new TaskMemory(pool, receiverBytes(shape));
        PushReceiver receiver =
            PushReceiver.open(
                InstalledWires.netty(), InetAddress.getLoopbackAddress(), JOB, memory, () -> {});
        BlockWriter block = store.create(StoreShuffle.BLOCK, shape.partitions(), WriteOrder.ANY)) {
      PushOutcome outcome = send(shape, receiver);
      for (PushOutcome.Pushed pushed : outcome.pushed()) {
        try (PushedBatches batches =
            receiver
                .take(PRODUCER, pushed.batches())
                .orElseThrow(() -> new IOException("what was pushed is not there"))) {
          batches.forEach(block::append);
        }
      }
      block.commit();
    }
  }

  private PushOutcome send(KernelShape shape, PushReceiver receiver)
      throws IOException, InterruptedException {
    WriterSettings settings =
        new WriterSettings(shape.partitions(), true, StoreShuffle.codec(shape), PRODUCER, null);
    Optional<PushAddress> address = Optional.of(receiver.address());
    try (TaskMemory memory = new TaskMemory(pool, shape.memoryBytes());
        PushSender sender =
            new PushSender(
                new PushSender.Settings(JOB, PRODUCER),
                InstalledWires.netty(),
                memory.part(shape.memoryBytes() / SENDING_SHARE),
                partition -> 0,
                1,
                target -> address,
                PushShuffle::refuse);
        ShuffleWriter writer =
            ShuffleWriter.toSink(
                settings,
                memory.part(shape.memoryBytes() - shape.memoryBytes() / SENDING_SHARE),
                sender,
                new WriteStatistics())) {
      StoreShuffle.writeRecords(shape, writer);
      return sender.finish();
    }
  }

  private static BlockWriter refuse() throws IOException {
    throw new IOException("not all could be pushed, so that this is no measurement of pushing");
  }
}
