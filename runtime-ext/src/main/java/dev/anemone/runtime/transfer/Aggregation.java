// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.clock.TaskClock;
import dev.anemone.runtime.clock.TaskClock.Part;
import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.shuffle.format.ChunkCopier;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.UnreadableBlockException;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.transfer.PartitionGatherer.LargePartitions;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import dev.anemone.runtime.transfer.announcement.ProducerClasses;
import dev.anemone.runtime.transfer.announcement.Source;
import dev.anemone.runtime.transfer.announcement.SourceFeed;
import dev.anemone.runtime.transfer.fetch.FetchQueue;
import dev.anemone.runtime.transfer.fetch.HostFailureException;
import dev.anemone.runtime.transfer.lineage.LinkLineage;
import dev.anemone.runtime.transfer.lineage.TaskLineage;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * An aggregation task: gathers the same partitions of many producers into one block, in which each
 * partition is contiguous, so that a consumer reads it in one go instead of in as many pieces as
 * there are producers (Lee 2019; Riffle). It never looks into a record.
 *
 * <p>Producers push while they run. What is theirs counts only when their attempt succeeds: its
 * announcement names the batches that it knows to have arrived here, and what lies in its local
 * block instead. Attempts that are withdrawn before this task commits, or that have something in
 * the block without having succeeded ({@link PushIntake}), are marked as dropped, and their runs
 * are skipped by its readers.
 *
 * <p>Used by the task's thread.
 */
public final class Aggregation implements Closeable {

  /** Of the memory, what may wait to be written; the rest is for what is on its way. */
  private static final double HELD_SHARE = 0.5;

  /** Pages that are not for what is pushed: one to gather in, one to copy through. */
  private static final long WORK_BYTES = 2L * PagePool.PAGE_BYTES;

  /**
   * Partitions that are worth reading in part. The pieces of a smaller one would be so small that
   * reading some of them costs as many seeks as it saves bytes; and who holds many large ones has
   * no hot one. The answer does not depend on either, so they are no options.
   */
  private static final LargePartitions LARGE = new LargePartitions(4, 4L << 20);

  private final TaskAttempt attempt;
  private final DataPlane plane;
  private final FetchQueue queue;
  private final BlockId id;
  private final TaskMemory memory;
  private final PushIntake pushed;
  private final BlockWriter block;
  private final PartitionGatherer gatherer;
  private final BitSet partitions;
  private final TaskClock clock = new TaskClock();

  private final Set<Source> missing = new HashSet<>();
  private final Map<Source, Producer> taken = new HashMap<>();
  private final List<Producer> dropped = new ArrayList<>();
  private final Map<String, ReadStatistics> reads = new HashMap<>();
  private final Map<String, LinkLineage> lineages = new TreeMap<>();
  private EdgeCounters written = EdgeCounters.NONE;

  private Aggregation(
      TaskAttempt attempt,
      DataPlane plane,
      SourceFeed feed,
      BlockId id,
      TaskMemory memory,
      PushIntake pushed,
      BlockWriter block,
      PartitionGatherer gatherer) {
    this.attempt = attempt;
    this.plane = plane;
    this.queue =
        plane.fetchQueue(
            feed,
            attempt,
            announced ->
                missing.contains(announced.source())
                    ? wanted(announced.announcement())
                    : new BitSet());
    this.id = id;
    this.memory = memory;
    this.pushed = pushed;
    this.block = block;
    this.gatherer = gatherer;
    this.partitions = new BitSet();
    for (HashRange range : attempt.partitionsOf(attempt.plan().inputs().get(0))) {
      partitions.set(range.from(), range.to());
    }
  }

  /**
   * Prepares an attempt, and starts to take what is pushed.
   *
   * @param sources how many producer tasks there are, by stage
   * @param feed brings the news of all of them
   * @param id names the block that this makes
   */
  public static Aggregation open(
      TaskAttempt attempt,
      DataPlane plane,
      Map<String, Integer> sources,
      SourceFeed feed,
      BlockId id)
      throws IOException, InterruptedException {
    int partitions = attempt.plan().inputs().get(0).partitions();
    LargePartitions large =
        attempt.plan().outputs().stream().anyMatch(Link::mayBeDivided)
            ? LARGE
            : LargePartitions.NONE;
    BlockWriter block =
        plane.localFiles().create(id, large.storedPartitions(partitions), WriteOrder.ANY);
    TaskMemory memory = null;
    PartitionGatherer gatherer = null;
    Aggregation aggregation;
    try {
      memory = plane.memoryOf(attempt);
      gatherer = new PartitionGatherer(block, partitions, large, memory);
      PushIntake pushed =
          PushIntake.open(
              attempt, plane, memory.part(memory.budgetBytes() - WORK_BYTES), gatherer, feed);
      aggregation = new Aggregation(attempt, plane, feed, id, memory, pushed, block, gatherer);
    } catch (IOException | InterruptedException | RuntimeException e) {
      try (TaskMemory closedLast = memory;
          BlockWriter abandoned = block;
          PartitionGatherer closedFirst = gatherer) {
        throw e;
      }
    }
    sources.forEach(
        (peer, count) -> {
          for (int index = 0; index < count; index++) {
            aggregation.missing.add(new Source(peer, index));
          }
          aggregation.lineages.put(peer, new LinkLineage(count));
        });
    return aggregation;
  }

  /** Where producers push to; empty when none of them does. */
  public Optional<PushAddress> address() {
    return pushed.address();
  }

  /**
   * Gathers until every producer task has succeeded, and commits.
   *
   * @return what to tell the consumers, by stage
   */
  public Map<String, BlockAnnouncement> run() throws IOException, InterruptedException {
    clock.enter(Part.INPUT);
    while (!missing.isEmpty()) {
      InputEvent event = nextEvent();
      if (event instanceof InputEvent.Announced announced) {
        take(announced);
      } else if (event instanceof InputEvent.Withdrawn withdrawn) {
        drop(withdrawn);
      } else {
        makeRoom();
      }
    }
    dropped.addAll(pushed.unsettled());
    flush();
    clock.enter(Part.WRITE);
    BitSet filled = commit();
    BlockAnnouncement announcement =
        new BlockAnnouncement(
            attempt.producer(),
            Optional.of(id),
            DataStore.LOCAL_FILE,
            plane.here(),
            filled,
            false,
            true,
            List.of(),
            dropped,
            gatherer.classes(),
            digest());
    Map<String, BlockAnnouncement> announcements = new LinkedHashMap<>();
    attempt.plan().outputs().forEach(link -> announcements.put(link.peer(), announcement));
    return announcements;
  }

  private InputEvent nextEvent() throws IOException, InterruptedException {
    Part before = clock.enter(Part.FETCH_WAIT);
    try {
      return queue.take();
    } finally {
      clock.back(before);
    }
  }

  private void flush() throws IOException {
    Part before = clock.enter(Part.WRITE);
    try {
      gatherer.flush();
    } finally {
      clock.back(before);
    }
  }

  private void makeRoom() throws IOException {
    Part before = clock.enter(Part.WRITE);
    try {
      pushed.makeRoom();
    } finally {
      clock.back(before);
    }
  }

  /** Where the time of {@link #run} goes; used by its thread. */
  public TaskClock clock() {
    return clock;
  }

  /** What is gathered of the same outputs has the same digest; others' order does not count. */
  private long digest() {
    long digest = 0;
    for (LinkLineage lineage : lineages.values()) {
      digest = 31 * digest + lineage.digest().orElseThrow();
    }
    return digest;
  }

  /**
   * What the attempt has gathered, and of which versions. Complete after {@link #run}.
   *
   * @param announcements what that has returned
   */
  public TaskLineage lineage(Map<String, BlockAnnouncement> announcements) {
    Map<String, Long> read = new HashMap<>();
    lineages.forEach((peer, lineage) -> read.put(peer, lineage.digest().orElseThrow()));
    return new TaskLineage(BlockAnnouncement.digests(announcements), read);
  }

  /** Commits the block; returns the stored partitions that are not empty. */
  private BitSet commit() throws IOException {
    BlockIndex index = block.commit();
    ProducerClasses classes = gatherer.classes();
    BitSet stored = (BitSet) partitions.clone();
    for (int place = 0; place < classes.partitions().size(); place++) {
      stored.set(classes.stored(place).from(), classes.stored(place).to());
    }
    BitSet filled = new BitSet();
    long raw = 0;
    for (int p = stored.nextSetBit(0); p >= 0; p = stored.nextSetBit(p + 1)) {
      filled.set(p, index.storedLength(p) > 0);
      raw += index.rawLength(p);
    }
    written =
        new EdgeCounters(
            new EdgeCounters.Written(0, raw, index.storedBytes()),
            EdgeCounters.Spilled.NONE,
            EdgeCounters.Disk.NONE,
            EdgeCounters.Pooled.NONE,
            EdgeCounters.Cached.NONE,
            EdgeCounters.Pushed.NONE,
            EdgeCounters.Fetched.NONE,
            memory.peakBytes());
    return filled;
  }

  private void take(InputEvent.Announced announced) throws IOException, InterruptedException {
    Source source = announced.source();
    BlockAnnouncement announcement = announced.announcement();
    if (!missing.contains(source)) {
      pushed.discard(announcement.producer());
      return;
    }
    // First what may have to come again, when nothing has been taken yet.
    try (SourceBlock local = openLocal(announced)) {
      if (takePushed(announced) && (local == null || copy(local, announced))) {
        missing.remove(source);
        taken.put(source, announcement.producer());
        lineages.get(source.peer()).took(announced);
        pushed.discardOthers(announcement.producer());
      }
    } catch (HostFailureException e) {
      queue.failed(e);
    } catch (LostBlockException e) {
      pushed.discard(announcement.producer());
      queue.gone(announced, e.getMessage());
    }
    if (gatherer.heldBytes() > memory.budgetBytes() * HELD_SHARE) {
      flush();
    }
  }

  /** Takes what was pushed; false when it is lost, and the producer will be run again. */
  private boolean takePushed(InputEvent.Announced announced) throws IOException {
    if (pushed.take(announced.announcement())) {
      return true;
    }
    queue.gone(
        announced,
        "what it pushed to "
            + attempt.plan().stage().name()
            + " task "
            + attempt.task()
            + " went to an attempt that is gone, or is not all that arrived");
    return false;
  }

  private BitSet wanted(BlockAnnouncement announcement) {
    return announcement.inBlockFor(attempt.task(), attempt.attempt(), partitions);
  }

  /** Opens the producer's block; null when nothing in it is for this task. */
  private SourceBlock openLocal(InputEvent.Announced announced) throws IOException {
    BlockAnnouncement announcement = announced.announcement();
    BitSet wanted = wanted(announcement);
    if (announcement.block().isEmpty() || wanted.isEmpty()) {
      return null;
    }
    return SourceBlock.open(
        plane,
        queue,
        announcement,
        List.of(new HashRange(wanted.nextSetBit(0), wanted.length())),
        wanted,
        reads.computeIfAbsent(announced.source().peer(), k -> new ReadStatistics()));
  }

  /** Copies what lies in the producer's block; false when it cannot be read. */
  private boolean copy(SourceBlock source, InputEvent.Announced announced)
      throws IOException, InterruptedException {
    BlockAnnouncement announcement = announced.announcement();
    BitSet wanted = wanted(announcement);
    // The pages of what was pushed may be all that there are.
    flush();
    try (ChunkCopier copier = new ChunkCopier(memory)) {
      for (int p = wanted.nextSetBit(0); p >= 0; p = wanted.nextSetBit(p + 1)) {
        copier.copy(
            source,
            p,
            (partition, chunks, rawBytes) ->
                gatherer.append(announcement.producer(), partition, chunks, rawBytes));
      }
      return true;
    } catch (UnreadableBlockException e) {
      // A part of it may be in the block by now.
      dropped.add(announcement.producer());
      queue.gone(announced, e.getMessage());
      return false;
    }
  }

  private void drop(InputEvent.Withdrawn withdrawn) {
    Producer producer = taken.get(withdrawn.source());
    if (producer != null && producer.attempt() == withdrawn.version()) {
      taken.remove(withdrawn.source());
      lineages.get(withdrawn.source().peer()).dropped(withdrawn.source().index());
      missing.add(withdrawn.source());
      dropped.add(producer);
    }
  }

  /** What went over the edges into and out of the aggregation. Complete after {@link #run}. */
  public Map<String, EdgeCounters> counters() {
    Map<String, EdgeCounters> counters = new LinkedHashMap<>();
    for (Link link : attempt.plan().inputs()) {
      ReadStatistics statistics = reads.get(link.peer());
      if (statistics != null) {
        counters.merge(link.edgeIds(), ReadCounters.of(statistics, 0), EdgeCounters::plus);
      }
    }
    for (Link link : attempt.plan().outputs()) {
      counters.merge(link.edgeIds(), written, EdgeCounters::plus);
    }
    return counters;
  }

  /** Stops taking what is pushed and frees all memory; keeps the block if it was committed. */
  @Override
  public void close() throws IOException {
    try (TaskMemory closedLast = memory;
        BlockWriter closedFourth = block;
        FetchQueue closedThird = queue;
        PartitionGatherer closedSecond = gatherer) {
      pushed.close();
    }
  }
}
