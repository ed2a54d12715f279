// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.read;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.format.ChunkDecoder;
import dev.anemone.runtime.shuffle.format.ChunkFormat;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.format.FilledPartitions;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.shuffle.format.RunFilter;
import dev.anemone.runtime.store.BlockReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Fetches partitions of a block into pages, each from its first byte to its last, in reads as large
 * as there is room; checks every chunk, and takes the partitions apart into their runs. The last
 * run of a partition and the first one of the next are joined, so partitions of one run each become
 * one run together. No chunk lies in two pages: the first part of a cut one is moved to the next
 * page. Used by one thread.
 */
final class PartitionFetch {

  private static final int LEAST_READ = 16 << 10;

  private final FetchedRuns runs;
  private final TaskMemory memory;
  private final Overflow overflow;
  private final ChunkDecoder decoder = new ChunkDecoder();

  private BlockReader block;
  private RunFilter filter;
  private int partition;
  private long length;

  /** Where the next chunk starts in the partition. */
  private long offset;

  /** The part of the last page that holds bytes read from {@code offset} on. */
  private int start;

  private int end;

  /** What the next chunk may belong to, or null. */
  private FetchedRun run;

  private Producer runProducer;
  private long keptRawBytes;

  /** Where runs go that memory has no room for. */
  interface Overflow {

    /** Empties memory but its last page, whose bytes remain as they are. */
    void spill() throws IOException, InterruptedException;

    /**
     * Spills a run from a chunk on whose record does not fit into a page, unless it is left out.
     *
     * @param counter is told the bytes of every chunk before compression
     * @return where the run ended in the partition
     */
    long spillLarge(
        BlockReader block, int partition, long offset, RunFilter filter, LongConsumer counter)
        throws IOException, InterruptedException;
  }

  PartitionFetch(FetchedRuns runs, TaskMemory memory, Overflow overflow) {
    this.runs = runs;
    this.memory = memory;
    this.overflow = overflow;
  }

  /**
   * Fetches partitions.
   *
   * @param ranges the partitions, ascending
   * @param newFilter tells the runs that are left out
   * @return bytes of what was fetched before compression
   */
  long fetch(BlockReader newBlock, List<HashRange> ranges, RunFilter newFilter)
      throws IOException, InterruptedException {
    block = newBlock;
    filter = newFilter;
    run = null;
    keptRawBytes = 0;
    FilledPartitions partitions = new FilledPartitions(block.index(), ranges);
    while (partitions.next()) {
      fetch(partitions.partition());
    }
    return keptRawBytes;
  }

  private void fetch(int newPartition) throws IOException, InterruptedException {
    partition = newPartition;
    length = block.index().storedLength(partition);
    decoder.at(block.id(), partition);
    offset = 0;
    if (runs.last() == null) {
      runs.addPage(memory.take("fetching a partition"));
    }
    start = runs.last().end();
    end = start;
    while (offset < length) {
      fetchChunk();
    }
  }

  private void fetchChunk() throws IOException, InterruptedException {
    require(ChunkFormat.HEADER_BYTES);
    ByteBuffer page = page();
    decoder.checkHeader(page, start, offset, length - offset);
    int bytes = ChunkFormat.HEADER_BYTES + ChunkFormat.storedLength(page, start);
    if (ChunkFormat.isContinued(page, start)
        || Math.max(bytes, ChunkFormat.rawLength(page, start)) > PagePool.PAGE_BYTES) {
      run = null;
      offset = overflow.spillLarge(block, partition, offset, filter, this::countKept);
      start = runs.last().end();
      end = start;
      return;
    }
    require(bytes);
    decoder.checkSum(page(), start, offset);
    Producer producer = ChunkFormat.producer(page(), start, runProducer);
    if (filter.skips(partition, producer)) {
      run = null;
    } else {
      keep(producer, bytes);
    }
    start += bytes;
    offset += bytes;
  }

  private ByteBuffer page() {
    return runs.last().bytes();
  }

  /** Makes sure that so many bytes of the next chunk are in the page. */
  private void require(int bytes) throws IOException, InterruptedException {
    int here = end - start;
    if (here >= bytes) {
      return;
    }
    int used = runs.last().end();
    int free = PagePool.PAGE_BYTES - used;
    long left = length - offset;
    if (bytes > free || (used > 0 && free - here < Math.min(left - here, LEAST_READ))) {
      beginPage();
    } else {
      moveTo(page(), used);
    }
    ByteBuffer page = page();
    page.position(end);
    try {
      block.read(partition, offset + here, page);
      end = page.position();
    } finally {
      page.clear();
    }
    if (end - start < bytes) {
      throw decoder.endedEarly(offset, end - start);
    }
  }

  private void moveTo(ByteBuffer target, int newStart) {
    int here = end - start;
    target.put(newStart, page(), start, here);
    start = newStart;
    end = newStart + here;
  }

  private void beginPage() throws IOException, InterruptedException {
    ByteBuffer page = memory.tryTake();
    if (page == null) {
      spill();
    } else {
      moveTo(page, 0);
      runs.addPage(page);
    }
  }

  private void spill() throws IOException, InterruptedException {
    overflow.spill();
    moveTo(page(), 0);
    run = null;
  }

  private void keep(Producer producer, int bytes) throws IOException, InterruptedException {
    boolean compressed = ChunkFormat.codec(page(), start) != Codec.NONE;
    int raw = ChunkFormat.rawLength(page(), start);
    if (!continuesRun(producer)) {
      run = null;
    }
    DecodingRoom room = runs.room();
    if (run == null) {
      room.begin();
    }
    if (compressed && !room.tryGrow(raw)) {
      spill();
      room.begin();
      room.grow(raw);
    }
    if (run == null) {
      run = runs.begin(block.id(), partition, offset);
    } else if (offset == 0) {
      run.beginPartition(partition);
    }
    runProducer = producer;
    if (compressed) {
      run.setRoom(room.page(), room.start());
    }
    addToPage(bytes);
    countKept(raw);
  }

  /** Whether the next chunk belongs to the run, as any does that starts a later partition. */
  private boolean continuesRun(Producer producer) {
    if (run == null || offset == 0) {
      return run != null;
    }
    return !ChunkFormat.startsRun(page(), start) && producer.equals(runProducer);
  }

  private void countKept(long rawBytes) {
    keptRawBytes += rawBytes;
  }

  private void addToPage(int bytes) {
    FetchedPage page = runs.last();
    if (start > page.end()) {
      page.bytes().put(page.end(), page.bytes(), start, bytes);
    }
    page.setEnd(page.end() + bytes);
    run.addChunk();
  }
}
