// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.push.protocol.PushAddresses;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A map task: pushes test entries, and writes those that fall back to a block. */
public final class SendingTask implements Closeable {

  private final Producer producer;
  private final boolean copies;
  private final BlockStore store;
  private final BlockId block;
  private final TaskMemory memory;
  private final PushSender sender;
  private final List<TestEntry> sent = new ArrayList<>();
  private BlockWriter writer;
  private PushOutcome outcome;

  SendingTask(
      PushSender.Settings settings,
      PushWires wires,
      TaskMemory memory,
      int targets,
      PushAddresses addresses,
      BlockStore store) {
    this.producer = settings.producer();
    this.copies = settings.copies();
    this.store = store;
    this.block = new BlockId("attempt_" + producer.task() + "_" + producer.attempt());
    this.memory = memory;
    this.sender =
        new PushSender(
            settings, wires, memory, p -> p % targets, targets, addresses, this::openBlock);
  }

  private BlockWriter openBlock() throws IOException {
    assertThat(writer == null || copies).as("a first block, or one after copies").isTrue();
    writer = store.create(block, PushHarness.PARTITIONS, WriteOrder.ANY);
    return writer;
  }

  public void send(TestEntry entry) throws IOException, InterruptedException {
    ByteBuffer bytes = entry.bytes();
    sender.accept(entry.partition(), bytes, entry.rawBytes());
    assertThat(bytes.hasRemaining()).isFalse();
    if (entry.length() > 0) {
      sent.add(entry);
    }
  }

  /** Sends entries of one length, over all partitions. */
  public void send(int count, int length) throws IOException, InterruptedException {
    for (int i = 0; i < count; i++) {
      int id = 1_000_000 * producer.task() + sent.size();
      send(new TestEntry(id % PushHarness.PARTITIONS, id, length));
    }
  }

  public PushOutcome finish() throws IOException, InterruptedException {
    outcome = sender.finish();
    assertThat(outcome.blockWritten()).isEqualTo(writer != null);
    if (writer != null) {
      assertThat(writer.commit().storedBytes())
          .isEqualTo(outcome.fallenBackBytes() + (outcome.complete() ? outcome.pushedBytes() : 0));
    }
    return outcome;
  }

  Producer producer() {
    return producer;
  }

  /** What was sent, without entries that are empty. */
  List<TestEntry> sent() {
    return sent;
  }

  /** What is in the block. */
  List<TestEntry> fallenBack() throws IOException {
    List<TestEntry> entries = new ArrayList<>();
    if (writer == null) {
      return entries;
    }
    try (BlockReader reader = store.open(block, new ReadStatistics())) {
      for (int p = 0; p < reader.index().partitions(); p++) {
        ByteBuffer bytes = ByteBuffer.allocate((int) reader.index().storedLength(p));
        reader.read(p, 0, bytes);
        entries.addAll(TestEntry.in(p, bytes.array()));
      }
    }
    return entries;
  }

  /** Takes what the outcome names out of the receivers, which must have all of it. */
  List<TestEntry> takeFrom(PushReceiver... receivers) throws IOException {
    List<TestEntry> entries = new ArrayList<>();
    long bytes = 0;
    for (PushOutcome.Pushed pushed : outcome.pushed()) {
      PushReceiver receiver = receivers[pushed.target()];
      assertThat(pushed.receiverId()).isEqualTo(receiver.address().receiverId());
      Optional<PushedBatches> taken = receiver.take(producer, pushed.batches());
      assertThat(taken).as("batches %s of %s", pushed.batches(), producer).isPresent();
      PartitionBytes partitions = new PartitionBytes();
      try (PushedBatches batches = taken.orElseThrow()) {
        batches.forEach(partitions::append);
        bytes += batches.bytes();
        assertThat(partitions.rawBytes()).isEqualTo(3 * batches.bytes());
      }
      entries.addAll(partitions.entries());
    }
    assertThat(bytes).isEqualTo(outcome.pushedBytes());
    return entries;
  }

  /** Checks that what was pushed and what fell back are together exactly what was sent. */
  public void assertExactlyOnce(PushReceiver... receivers) throws IOException {
    List<TestEntry> arrived = new ArrayList<>(takeFrom(receivers));
    arrived.addAll(fallenBack());
    assertThat(arrived).containsExactlyInAnyOrderElementsOf(sent);
  }

  @Override
  public void close() throws IOException {
    sender.close();
    if (writer != null) {
      writer.close();
    }
    assertThat(memory.peakBytes()).isLessThanOrEqualTo(memory.budgetBytes());
    memory.close();
  }
}
