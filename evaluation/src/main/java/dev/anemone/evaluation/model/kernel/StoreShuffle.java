// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import dev.anemone.evaluation.model.kernel.KernelRecords.KernelCheck;
import dev.anemone.evaluation.model.kernel.ShuffleKernel.KernelShape;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.push.PushOutcome;
import dev.anemone.runtime.push.PushReceiver;
import dev.anemone.runtime.push.PushSender;
import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.push.PushedBatches;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.push.wires.InstalledWires;
import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.record.GroupReader;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.shuffle.format.RunFilter;
import dev.anemone.runtime.shuffle.merge.WriteStatistics;
import dev.anemone.runtime.shuffle.merge.WriterSettings;
import dev.anemone.runtime.shuffle.read.FetchStatistics;
import dev.anemone.runtime.shuffle.read.ShuffleReader;
import dev.anemone.runtime.shuffle.write.ShuffleWriter;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** A task that writes a block of a store, and a {@link ShuffleReader} for each partition. */
record StoreShuffle(PagePool pool, BlockStore store) {
  static final BlockId BLOCK = new BlockId("kernel/block");
  private static final BlockId SPILLS = new BlockId("kernel/reader");

  /** Shuffles, and deletes the block. */
  KernelCheck shuffle(KernelShape shape) throws IOException, InterruptedException {
    try {
      write(shape);
      return readAll(shape);
    } finally {
      store.delete(BLOCK);
    }
  }

  /** Reads a block that is there. */
  KernelCheck readAll(KernelShape shape) throws IOException, InterruptedException {
    KernelCheck check = new KernelCheck();
    for (int partition = 0; partition < shape.partitions(); partition++) {
      read(shape, partition, check);
    }
    return check;
  }

  static Codec codec(KernelShape shape) {
    return shape.compressed() ? Codec.LZ4 : Codec.NONE;
  }

  private void write(KernelShape shape) throws IOException, InterruptedException {
    WriterSettings settings =
        new WriterSettings(shape.partitions(), true, codec(shape), new Producer(0, 0), null);
    try (TaskMemory memory = new TaskMemory(pool, shape.memoryBytes());
        BlockWriter target = store.create(BLOCK, shape.partitions(), WriteOrder.BY_PARTITION);
        ShuffleWriter writer =
            ShuffleWriter.toBlock(settings, memory, store, BLOCK, target, new WriteStatistics())) {
      writeRecords(shape, writer);
      target.commit();
    }
  }

  static void writeRecords(KernelShape shape, ShuffleWriter writer)
      throws IOException, InterruptedException {
    KernelRecords records = new KernelRecords();
    for (long record = 0; record < shape.records(); record++) {
      records.next();
      byte[] key = records.key();
      byte[] value = records.value();
      int partition = KernelRecords.partition(key, shape.partitions());
      writer.write(partition, key, key.length, value, value.length);
    }
    writer.finish();
  }

  private void read(KernelShape shape, int partition, KernelCheck check)
      throws IOException, InterruptedException {
    ShuffleReader.Settings settings =
        new ShuffleReader.Settings(shape.partitions(), SPILLS, codec(shape), null);
    try (TaskMemory memory = new TaskMemory(pool, shape.memoryBytes());
        ShuffleReader reader = new ShuffleReader(settings, memory, store, new FetchStatistics())) {
      List<HashRange> ranges = List.of(new HashRange(partition, partition + 1));
      reader.add(store.open(BLOCK, new ReadStatistics()), ranges, true, RunFilter.NOTHING);
      GroupReader groups = reader.groups();
      check.startPartition();
      while (groups.nextKey()) {
        ByteSlice key = groups.key();
        while (groups.nextValue()) {
          ByteSlice value = groups.value();
          check.inOrder(
              key.array(), key.start(), key.length(), value.array(), value.start(), value.length());
        }
      }
    }
  }

  /** Pushes to a receiver over TCP, as producers do; what it got becomes a block that is read. */
  record PushShuffle(PagePool pool, BlockStore store) {
    private static final String JOB = "allocation";
    private static final Producer PRODUCER = new Producer(0, 0);

    /** The part of the writer's memory for what is on its way, as in the runtime. */
    private static final int SENDING_SHARE = 4;

    /** A receiver keeps what is pushed until its producer has ended. */
    private static final double RECEIVER_BYTES_PER_BYTE = 1.5;

    /** Shuffles, and deletes the block; fails if not all could be pushed. */
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
      try (PushWires wires = InstalledWires.netty(JobSecret.random());
          TaskMemory memory = new TaskMemory(pool, receiverBytes(shape));
          PushReceiver receiver =
              PushReceiver.open(
                  wires,
                  InetAddress.getLoopbackAddress(),
                  new PushReceiver.Settings(JOB),
                  memory,
                  () -> {});
          BlockWriter block =
              store.create(StoreShuffle.BLOCK, shape.partitions(), WriteOrder.ANY)) {
        PushOutcome outcome = send(shape, wires, receiver);
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

    private PushOutcome send(KernelShape shape, PushWires wires, PushReceiver receiver)
        throws IOException, InterruptedException {
      WriterSettings settings =
          new WriterSettings(shape.partitions(), true, StoreShuffle.codec(shape), PRODUCER, null);
      Optional<PushAddress> address = Optional.of(receiver.address());
      try (TaskMemory memory = new TaskMemory(pool, shape.memoryBytes());
          PushSender sender =
              new PushSender(
                  new PushSender.Settings(JOB, PRODUCER),
                  wires,
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
}
