// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.clock.TaskClock;
import dev.anemone.runtime.clock.TaskClock.Part;
import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.push.PushOutcome;
import dev.anemone.runtime.push.PushSender;
import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.shuffle.merge.WriteStatistics;
import dev.anemone.runtime.shuffle.merge.WriterSettings;
import dev.anemone.runtime.shuffle.write.ShuffleWriter;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.ProducerClasses;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Pushes to the tasks of an aggregation. Whenever memory is full, it is sorted and sent, so nothing
 * is merged here; what cannot be sent goes to a local block, from where the aggregation pulls it.
 */
final class PushWriter implements LinkWriter {

  /** The part of the memory for what is on its way; the rest is for what is being sorted. */
  private static final int SENDING_SHARE = 4;

  /**
   * How much a task may push of which it keeps a copy in its block. It costs a write to a small
   * file, and saves the task when a receiver is lost; the answer does not depend on it, so it is no
   * option.
   */
  private static final long KEPT_BYTES = 1 << 20;

  private final WriterSettings settings;
  private final TaskMemory memory;
  private final DataPlane plane;
  private final BlockId id;
  private final WriteStatistics statistics;
  private final PushTargets targets;
  private final PushSender sender;
  private final ShuffleWriter shuffle;
  private final PartitionedRecords records;
  private final long[] partitionBytes;
  private BlockWriter block;
  private long pushedBytes;
  private long transportBytes;
  private long fallenBackBytes;
  private boolean finished;

  /**
   * A writer.
   *
   * @param memory is closed with the writer
   * @param id names the local block, if one is needed
   */
  PushWriter(
      Partitioning partitioning,
      WriterSettings settings,
      TaskMemory memory,
      TaskAttempt attempt,
      Link link,
      DataPlane plane,
      BlockId id,
      PushTargets targets,
      TaskClock clock) {
    this.settings = settings;
    this.statistics = new WriteStatistics(clock);
    this.memory = memory;
    this.plane = plane;
    this.targets = targets;
    this.id = id;
    this.partitionBytes = new long[settings.partitions()];
    int[] owners = owners(link);
    long sending = memory.budgetBytes() / SENDING_SHARE;
    this.sender =
        new PushSender(
            new PushSender.Settings(
                attempt.plan().job().id(),
                settings.producer(),
                attempt.plan().job().waits().pushConnect(),
                attempt.plan().job().waits().pushReply(),
                attempt.plan().job().waits().pushClose(),
                KEPT_BYTES,
                // In one JVM an aggregation is lost with all else.
                plane.here().isPresent() && !link.isDiscarded()),
            plane.pushWires(),
            memory.part(sending),
            partition -> owners[partition],
            link.perTask().size(),
            task -> targets.addressOf(link.peer(), task),
            this::openBlock);
    this.shuffle =
        ShuffleWriter.toSink(
            settings, memory.part(memory.budgetBytes() - sending), this::send, statistics);
    this.records = new PartitionedRecords(partitioning, shuffle);
  }

  /** The aggregation task of each partition. */
  private static int[] owners(Link link) {
    int[] owners = new int[link.partitions()];
    List<List<HashRange>> perTask = link.perTask();
    for (int task = 0; task < perTask.size(); task++) {
      for (HashRange range : perTask.get(task)) {
        Arrays.fill(owners, range.from(), range.to(), task);
      }
    }
    return owners;
  }

  private void send(int partition, ByteBuffer chunks, long rawBytes)
      throws IOException, InterruptedException {
    Part before = statistics.clock().enter(Part.PUSH);
    sender.accept(partition, chunks, rawBytes);
    statistics.clock().back(before);
    partitionBytes[partition] += rawBytes;
  }

  private BlockWriter openBlock() throws IOException {
    block = plane.localFiles().create(id, settings.partitions(), WriteOrder.ANY);
    return block;
  }

  @Override
  public void write(ByteSink key, ByteSink value) throws IOException {
    records.write(key, value);
  }

  @Override
  public BlockAnnouncement finish() throws IOException, InterruptedException {
    shuffle.finish();
    Part before = statistics.clock().enter(Part.PUSH);
    PushOutcome outcome = sender.finish();
    statistics.clock().back(before);
    finished = true;
    pushedBytes = outcome.pushedBytes();
    transportBytes = outcome.transportBytes();
    fallenBackBytes = outcome.fallenBackBytes();
    BitSet partitions = new BitSet();
    if (outcome.blockWritten()) {
      BlockIndex index = block.commit();
      for (int p = 0; p < index.partitions(); p++) {
        partitions.set(p, index.storedLength(p) > 0);
      }
    }
    return new BlockAnnouncement(
        settings.producer(),
        outcome.blockWritten() ? Optional.of(id) : Optional.empty(),
        DataStore.LOCAL_FILE,
        plane.here(),
        partitions,
        false,
        outcome.complete(),
        outcome.pushed().stream()
            .map(
                p ->
                    new BlockAnnouncement.Pushed(
                        p.target(), targets.attemptOf(p.receiverId()), p.batches()))
            .toList(),
        List.of(),
        ProducerClasses.NONE,
        records.digest().value());
  }

  @Override
  public EdgeCounters counters() {
    return WriteCounters.of(
        statistics, memory, new EdgeCounters.Pushed(pushedBytes, transportBytes, fallenBackBytes));
  }

  @Override
  public long[] partitionBytes() {
    if (!finished) {
      throw new IllegalStateException("not all of block " + id + " has been pushed");
    }
    return partitionBytes.clone();
  }

  @Override
  public void close() throws IOException {
    try (TaskMemory closedLast = memory;
        BlockWriter closedThird = block;
        PushSender closedSecond = sender) {
      shuffle.close();
    }
  }
}
