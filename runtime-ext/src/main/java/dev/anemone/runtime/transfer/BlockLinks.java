// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.ir.property.Compression;
import dev.anemone.runtime.clock.TaskClock;
import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.record.GroupReader;
import dev.anemone.runtime.record.RecordReader;
import dev.anemone.runtime.record.RecordWriter;
import dev.anemone.runtime.resource.CloseAll;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.merge.WriterSettings;
import dev.anemone.runtime.spi.RecordCombiner;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.Transfer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.task.TaskLinks;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.LinkSources;
import dev.anemone.runtime.transfer.lineage.OutdatedInputException;
import dev.anemone.runtime.transfer.lineage.TaskLineage;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The links of a task attempt over blocks and pushes. All memory that they use is off-heap, within
 * the task's share of the data plane. Used by the task's thread, but for what says otherwise.
 */
public final class BlockLinks implements TaskLinks, Closeable {

  private final TaskAttempt attempt;
  private final DataPlane plane;
  private final Map<String, LinkSources> inputs;
  private final Map<String, BlockId> outputs;
  private final PushTargets targets;
  private final TaskClock clock = new TaskClock();
  private final TaskMemory memory;
  private final MemoryShares shares;
  private final Map<String, LinkWriter> writers =
      Collections.synchronizedMap(new LinkedHashMap<>());
  private final Map<String, LinkReader> readers = new ConcurrentHashMap<>();

  /**
   * The links of an attempt.
   *
   * @param inputs the producers, by stage
   * @param outputs names for the blocks, by consumer stage; no other attempt has the same
   * @param targets learns where aggregation tasks are while the attempt runs
   */
  public BlockLinks(
      TaskAttempt attempt,
      DataPlane plane,
      Map<String, LinkSources> inputs,
      Map<String, BlockId> outputs,
      PushTargets targets) {
    this.attempt = attempt;
    this.plane = plane;
    this.inputs = Map.copyOf(inputs);
    this.outputs = Map.copyOf(outputs);
    this.targets = targets;
    this.memory = plane.memoryOf(attempt);
    this.shares = MemoryShares.of(attempt.plan(), memory.budgetBytes());
  }

  @Override
  public RecordReader reader(String peer) throws IOException, InterruptedException {
    Link link = find(attempt.plan().inputs(), peer);
    LinkReader former = readers.get(peer);
    if (former instanceof StreamedLink streamed) {
      streamed.readAgain();
      return streamed;
    }
    StreamedLink reader =
        new StreamedLink(
            attempt, link, inputs.get(peer), plane, memory.part(shares.streamBytes()), clock);
    readers.put(peer, reader);
    return reader;
  }

  @Override
  public GroupReader groupReader(String peer, Map<Integer, RecordCombiner> combiners)
      throws IOException, InterruptedException {
    Link link = find(attempt.plan().inputs(), peer);
    MergedLink reader =
        new MergedLink(
            attempt,
            link,
            inputs.get(peer),
            plane,
            memory.part(shares.shareBytes()),
            combiners,
            clock);
    readers.put(peer, reader);
    return reader.open();
  }

  @Override
  public double progress(String peer) {
    LinkReader reader = readers.get(peer);
    return reader == null ? 0 : reader.progress();
  }

  @Override
  public RecordWriter writer(String peer, Map<Integer, RecordCombiner> combiners)
      throws IOException {
    Link link = find(attempt.plan().outputs(), peer);
    WriterSettings settings =
        new WriterSettings(
            link.partitions(),
            link.transfer() == Transfer.GROUPED,
            codec(link.property(Compression.class).orElse(Compression.NONE)),
            attempt.producer(),
            combiners.isEmpty() ? null : combiners::get);
    Partitioning partitioning = Partitioning.of(link, attempt.task());
    TaskMemory share = memory.part(shares.shareBytes());
    LinkWriter writer =
        link.push()
            ? new PushWriter(
                partitioning,
                settings,
                share,
                attempt,
                link,
                plane,
                outputs.get(peer),
                targets,
                clock)
            : new PullWriter(
                partitioning,
                settings,
                share,
                plane,
                plane.storeOf(link),
                plane.spills(link),
                outputs.get(peer),
                clock);
    writers.put(peer, writer);
    return writer;
  }

  private static Codec codec(Compression compression) {
    return switch (compression) {
      case NONE -> Codec.NONE;
      case LZ4 -> Codec.LZ4;
      case ZSTD -> Codec.ZSTD;
    };
  }

  private static Link find(List<Link> links, String peer) {
    return links.stream()
        .filter(link -> link.peer().equals(peer))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no link with " + peer));
  }

  /**
   * Writes what is still in memory.
   *
   * @return what to tell the consumers when the attempt succeeds, by stage; an output that nothing
   *     was written to has an empty block
   */
  public Map<String, BlockAnnouncement> finish() throws IOException, InterruptedException {
    List<Link> outputs = attempt.plan().outputs();
    for (Link link : outputs) {
      if (link.aliasOf().isEmpty() && !writers.containsKey(link.peer())) {
        writer(link.peer(), Map.of());
      }
    }
    Map<String, BlockAnnouncement> announcements = new LinkedHashMap<>();
    for (Map.Entry<String, LinkWriter> entry : writers.entrySet()) {
      announcements.put(entry.getKey(), entry.getValue().finish());
    }
    for (Link link : outputs) {
      link.aliasOf().ifPresent(peer -> announcements.put(link.peer(), announcements.get(peer)));
    }
    return announcements;
  }

  @Override
  public TaskClock clock() {
    return clock;
  }

  /** How many records were read until now, over all links; any thread may ask. */
  public long readRecords() {
    return readers.values().stream().mapToLong(LinkReader::readRecords).sum();
  }

  /** Bytes of keys and values that were read until now, over all links; any thread may ask. */
  public long allReadBytes() {
    return readers.values().stream().mapToLong(LinkReader::readBytes).sum();
  }

  /** What has been written until now, over all links; any thread may ask. */
  public EdgeCounters written() {
    List<EdgeCounters> all = new ArrayList<>();
    writers.forEach((peer, writer) -> all.add(writer.counters()));
    return all.stream().reduce(EdgeCounters.NONE, EdgeCounters::plus);
  }

  /** What went over the links, by the ids of their edges. Complete after {@link #finish}. */
  public Map<String, EdgeCounters> counters() {
    Map<String, EdgeCounters> counters = new LinkedHashMap<>();
    writers.forEach(
        (peer, writer) ->
            counters.merge(
                find(attempt.plan().outputs(), peer).edgeIds(),
                writer.counters(),
                EdgeCounters::plus));
    readers.forEach(
        (peer, reader) ->
            counters.merge(
                find(attempt.plan().inputs(), peer).edgeIds(),
                reader.counters(),
                EdgeCounters::plus));
    return counters;
  }

  /**
   * How many bytes of keys and values went into each partition of an output link, after combining
   * and before compression; of an alias, what was written for the link that it shares. Complete
   * after {@link #finish}.
   */
  public long[] partitionBytes(String peer) {
    String written =
        attempt.plan().outputs().stream()
            .filter(link -> link.peer().equals(peer))
            .findFirst()
            .flatMap(Link::aliasOf)
            .orElse(peer);
    return writers.get(written).partitionBytes();
  }

  /**
   * How many bytes of keys and values were read over the input links, by the ids of their edges;
   * where several grouped links enter the stage, also over all of them together. Complete after
   * {@link #finish}.
   */
  public Map<String, Long> readBytes() {
    Map<String, Long> bytes = new LinkedHashMap<>();
    List<String> grouped = new ArrayList<>();
    long groupedBytes = 0;
    for (Link link : attempt.plan().inputs()) {
      LinkReader reader = readers.get(link.peer());
      long read = reader == null ? 0 : reader.readBytes();
      bytes.put(link.edgeIds(), read);
      if (link.transfer() == Transfer.GROUPED) {
        grouped.add(link.edgeIds());
        groupedBytes += read;
      }
    }
    if (grouped.size() > 1) {
      bytes.put(String.join("+", grouped), groupedBytes);
    }
    return bytes;
  }

  /**
   * What the attempt has written, and has made that of.
   *
   * @param announcements what {@link #finish} has returned
   * @throws OutdatedInputException when it has read something of which there is another version by
   *     now
   */
  public TaskLineage lineage(Map<String, BlockAnnouncement> announcements)
      throws OutdatedInputException {
    Map<String, Long> read = new HashMap<>();
    for (Map.Entry<String, LinkReader> entry : readers.entrySet()) {
      String peer = entry.getKey();
      if (entry.getValue().isOutdated()) {
        throw new OutdatedInputException(peer);
      }
      if (find(attempt.plan().inputs(), peer).transfer() != Transfer.ONE_TO_ONE) {
        entry.getValue().lineage().digest().ifPresent(digest -> read.put(peer, digest));
      }
    }
    return new TaskLineage(BlockAnnouncement.digests(announcements), read);
  }

  /** Lets go of memory and files; keeps the blocks if {@link #finish} returned. */
  @Override
  public void close() throws IOException {
    List<Closeable> links = new ArrayList<>(writers.values());
    links.addAll(readers.values());
    CloseAll.of(links);
    memory.close();
  }
}
