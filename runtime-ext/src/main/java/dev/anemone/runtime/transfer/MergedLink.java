// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.clock.SampledTime;
import dev.anemone.runtime.clock.TaskClock;
import dev.anemone.runtime.clock.TaskClock.Part;
import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.record.GroupReader;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.read.FetchStatistics;
import dev.anemone.runtime.shuffle.read.ShuffleReader;
import dev.anemone.runtime.spi.RecordCombiner;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.store.BlockId;
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
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads a grouped link: fetches the task's partitions from the block of every producer, in the
 * order in which these succeed, and merges them by partition and key. A block that turns out to be
 * lost is reported, and read when its producer has made it again; one whose node fails waits behind
 * the others.
 */
final class MergedLink implements LinkReader {

  private final Link link;
  private final TaskShare share;
  private final LinkSources sources;
  private final FetchQueue queue;
  private final DataPlane plane;
  private final TaskMemory memory;
  private final FetchStatistics statistics;
  private final TaskClock clock;
  private final ShuffleReader shuffle;
  private final ReadStatistics reads = new ReadStatistics();
  private final LinkLineage lineage;
  private final Map<BlockId, InputEvent.Announced> fetched = new HashMap<>();
  private final Set<Integer> missing = new HashSet<>();
  private final AtomicLong fetchedBytes = new AtomicLong();
  private final AtomicLong mergedBytes = new AtomicLong();
  private volatile int sourcesLeft;

  /**
   * A reader.
   *
   * @param memory is closed with the reader
   */
  MergedLink(
      TaskAttempt attempt,
      Link link,
      LinkSources sources,
      DataPlane plane,
      TaskMemory memory,
      Map<Integer, RecordCombiner> combiners,
      TaskClock clock)
      throws InterruptedException {
    this.clock = clock;
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
    this.sourcesLeft = sources.count();
    this.shuffle =
        new ShuffleReader(
            new ShuffleReader.Settings(
                link.partitions(),
                sources.spills(),
                Codec.LZ4,
                combiners.isEmpty() ? null : combiners::get),
            memory,
            plane.spills(link),
            statistics);
  }

  /** Fetches from all producers; waits until they have succeeded. */
  GroupReader open() throws IOException, InterruptedException {
    for (int index = 0; index < sources.count(); index++) {
      missing.add(index);
    }
    Part before = clock.enter(Part.FETCH_WAIT);
    while (!missing.isEmpty()) {
      // A producer that is run again after its data was fetched makes no difference.
      if (queue.take() instanceof InputEvent.Announced announced
          && missing.contains(announced.source().index())
          && fetch(announced)) {
        missing.remove(announced.source().index());
        sourcesLeft = missing.size();
        lineage.took(announced);
      }
    }
    clock.enter(Part.INPUT);
    Groups groups = new Groups(merged());
    clock.back(before);
    return groups;
  }

  /** What was fetched, merged; blocks that are read in place may be read for that already. */
  private GroupReader merged() throws IOException, InterruptedException {
    try {
      return shuffle.groups();
    } catch (UnreadableBlockException e) {
      throw reported(e);
    }
  }

  /** Reports a block that was fetched before, and gives what the attempt fails with. */
  private IOException reported(UnreadableBlockException failure) {
    InputEvent.Announced announced = fetched.get(failure.blockId());
    if (announced != null) {
      queue.gone(announced, failure.getMessage());
    }
    return new IOException(
        "edge " + link.edgeIds() + " could not be read to its end: " + failure.getMessage(),
        failure);
  }

  /** Fetches what a producer has for this task; false when that is lost, or comes again. */
  private boolean fetch(InputEvent.Announced announced) throws IOException, InterruptedException {
    BlockAnnouncement announcement = announced.announcement();
    List<HashRange> wanted = share.in(announcement);
    if (wanted.isEmpty()) {
      return true;
    }
    BlockId id = announcement.block().orElseThrow();
    Part before = clock.enter(Part.FETCH_WAIT);
    try {
      BlockReader block = share.open(announcement, plane, queue, reads);
      long bytes = StreamedLink.rawBytes(block, wanted);
      clock.enter(Part.INPUT);
      shuffle.add(block, wanted, announcement.singleRuns(), share.filter(announcement));
      fetched.put(id, announced);
      fetchedBytes.addAndGet(bytes);
      return true;
    } catch (UnreadableBlockException e) {
      queue.gone(announced, e.getMessage());
      return false;
    } catch (HostFailureException e) {
      queue.failed(e);
      return false;
    } finally {
      clock.back(before);
    }
  }

  @Override
  public EdgeCounters counters() {
    return ReadCounters.of(
        reads,
        new EdgeCounters.Spilled(statistics.spills(), statistics.spilledBytes()),
        memory.peakBytes());
  }

  @Override
  public long readBytes() {
    return statistics.rawBytes();
  }

  @Override
  public long readRecords() {
    return statistics.records();
  }

  @Override
  public double progress() {
    double fetchedPart = sources.count() == 0 ? 1 : 1 - (double) sourcesLeft / sources.count();
    long all = fetchedBytes.get();
    double merged = sourcesLeft > 0 || all == 0 ? 0 : Math.min(1, (double) mergedBytes.get() / all);
    return (fetchedPart + merged) / 2;
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
      shuffle.close();
    }
  }

  /**
   * The groups, with an eye on blocks that are read in place: when one of them fails now, records
   * of it have been used already. The attempt fails, and the next one finds the block made again.
   */
  private final class Groups implements GroupReader {

    private final GroupReader reader;
    private final SampledTime merging = new SampledTime(clock);
    private long bytes;

    Groups(GroupReader reader) {
      this.reader = reader;
    }

    @Override
    public boolean nextKey() throws IOException {
      try {
        mergedBytes.setRelease(bytes);
        if (!merging.isNext()) {
          return reader.nextKey();
        }
        merging.begin();
        boolean next = reader.nextKey();
        merging.end();
        if (!next) {
          clock.reassign(merging.nanos(), Part.INPUT);
        }
        return next;
      } catch (UnreadableBlockException e) {
        throw reported(e);
      }
    }

    @Override
    public int partition() {
      return reader.partition();
    }

    @Override
    public ByteSlice key() {
      return reader.key();
    }

    @Override
    public boolean nextValue() throws IOException {
      try {
        boolean next = reader.nextValue();
        if (next) {
          bytes += reader.key().length() + reader.value().length();
        }
        return next;
      } catch (UnreadableBlockException e) {
        throw reported(e);
      }
    }

    @Override
    public ByteSlice value() {
      return reader.value();
    }
  }
}
