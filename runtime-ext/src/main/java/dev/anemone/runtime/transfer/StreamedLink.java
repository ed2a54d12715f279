// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.clock.TaskClock;
import dev.anemone.runtime.clock.TaskClock.Part;
import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.record.RecordReader;
import dev.anemone.runtime.shuffle.read.FetchStatistics;
import dev.anemone.runtime.shuffle.read.RecordStream;
import dev.anemone.runtime.shuffle.read.Segment;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.UnreadableBlockException;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import dev.anemone.runtime.transfer.announcement.LinkSources;
import dev.anemone.runtime.transfer.fetch.FetchQueue;
import dev.anemone.runtime.transfer.fetch.HostFailureException;
import dev.anemone.runtime.transfer.lineage.LinkLineage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;

/**
 * Reads a link that is not grouped: one producer after the other, in the order in which they
 * succeed, through a page. A block that cannot be opened is reported, and read when its producer
 * has made it again; one that fails later has been used already, so the attempt fails and the next
 * one finds it made again. One whose node fails waits behind the others.
 */
final class StreamedLink implements RecordReader, LinkReader {

  private final Link link;
  private final TaskShare share;
  private final LinkSources sources;
  private final FetchQueue queue;
  private final DataPlane plane;
  private final TaskMemory memory;
  private final FetchStatistics statistics;
  private final ReadStatistics reads = new ReadStatistics();
  private final LinkLineage lineage;
  private final Set<Integer> missing = new HashSet<>();
  private final List<InputEvent> found = new ArrayList<>();
  private final SourceProgress progress;
  private RecordStream stream;
  private InputEvent.Announced current;

  /**
   * A reader.
   *
   * @param memory is closed with the reader
   */
  StreamedLink(
      TaskAttempt attempt,
      Link link,
      LinkSources sources,
      DataPlane plane,
      TaskMemory memory,
      TaskClock clock)
      throws InterruptedException {
    this.statistics = new FetchStatistics(clock);
    this.link = link;
    this.share = TaskShare.of(attempt, link);
    this.sources = sources;
    this.queue =
        plane.fetchQueue(
            sources.feed(),
            attempt,
            announced ->
                missing.contains(announced.source().index())
                    ? share.stored(announced.announcement())
                    : new BitSet());
    this.plane = plane;
    this.memory = memory;
    this.lineage = new LinkLineage(sources.count());
    this.progress = new SourceProgress(sources.count());
    begin();
  }

  private void begin() throws InterruptedException {
    for (int index = 0; index < sources.count(); index++) {
      missing.add(index);
    }
    stream = new RecordStream(new Segments(), memory, statistics);
  }

  /** Goes back to before the first record, wherever it is; what it counts goes on. */
  void readAgain() throws IOException, InterruptedException {
    stream.close();
    found.forEach(sources.feed()::add);
    found.clear();
    progress.restart(statistics.rawBytes());
    begin();
  }

  @Override
  public boolean next() throws IOException {
    try {
      return stream.next();
    } catch (UnreadableBlockException e) {
      queue.gone(current, e.getMessage());
      throw new IOException(
          "edge " + link.edgeIds() + " could not be read to its end: " + e.getMessage(), e);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  public ByteSlice key() {
    return stream.key();
  }

  @Override
  public ByteSlice value() {
    return stream.value();
  }

  @Override
  public EdgeCounters counters() {
    return ReadCounters.of(reads, memory.peakBytes());
  }

  @Override
  public long readBytes() {
    return statistics.rawBytes();
  }

  @Override
  public long readRecords() {
    return statistics.records();
  }

  /** Bytes of partitions before compression. */
  static long rawBytes(BlockReader block, List<HashRange> ranges) {
    long bytes = 0;
    for (HashRange range : ranges) {
      for (int partition = range.from(); partition < range.to(); partition++) {
        bytes += block.index().rawLength(partition);
      }
    }
    return bytes;
  }

  @Override
  public double progress() {
    return progress.fraction(statistics.rawBytes());
  }

  @Override
  public LinkLineage lineage() {
    return lineage;
  }

  @Override
  public boolean isOutdated() {
    return lineage.isOutdatedBy(queue.announcedAgain());
  }

  @Override
  public void close() throws IOException {
    try (TaskMemory closedLast = memory;
        FetchQueue closedSecond = queue) {
      stream.close();
    }
  }

  /** The task's partitions in the blocks of the producers; waits for those that still run. */
  private final class Segments implements Iterator<Segment> {

    private Segment next;

    @Override
    public boolean hasNext() {
      try {
        Part before = statistics.clock().enter(Part.FETCH_WAIT);
        while (next == null && !missing.isEmpty()) {
          next = find();
        }
        statistics.clock().back(before);
        return next != null;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw new UncheckedIOException(Interruption.of(e));
      }
    }

    /** The next segment, or null when the next news brings none. */
    private Segment find() throws IOException, InterruptedException {
      if (!(queue.take() instanceof InputEvent.Announced announced)
          || !missing.contains(announced.source().index())) {
        return null;
      }
      BlockAnnouncement announcement = announced.announcement();
      List<HashRange> wanted = share.in(announcement);
      if (wanted.isEmpty()) {
        found(announced);
        progress.skipped();
        return null;
      }
      try {
        BlockReader block = share.open(announcement, plane, queue, reads);
        found(announced);
        current = announced;
        progress.began(statistics.rawBytes(), rawBytes(block, wanted));
        return new Segment(block, wanted, share.filter(announcement));
      } catch (LostBlockException e) {
        queue.gone(announced, e.getMessage());
        return null;
      } catch (HostFailureException e) {
        queue.failed(e);
        return null;
      }
    }

    private void found(InputEvent.Announced announced) {
      missing.remove(announced.source().index());
      found.add(announced);
      lineage.took(announced);
    }

    @Override
    public Segment next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Segment segment = next;
      next = null;
      return segment;
    }
  }
}
