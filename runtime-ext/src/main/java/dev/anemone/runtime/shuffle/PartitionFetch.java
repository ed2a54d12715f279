package dev.anemone.runtime.shuffle;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.store.BlockReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Predicate;

/**
 * Fetches a partition into pages, from its first byte to its last, in reads as large as there is
 * room; checks every chunk, and takes the partition apart into its runs. No chunk lies in two
 * pages: the first part of a cut one is moved to the next page. Used by one thread.
 */
final class PartitionFetch {

  private static final int LEAST_READ = 16 << 10;

  private final FetchedRuns runs;
  private final TaskMemory memory;
  private final Overflow overflow;
  private final ChunkDecoder decoder = new ChunkDecoder();

  private BlockReader block;
  private int partition;
  private long length;
  private Predicate<Producer> dropped;

  /** Where the next chunk starts in the partition. */
  private long offset;

  /** The part of the last page that holds bytes read from {@code offset} on. */
  private int start;

  private int end;

  private FetchedRun run;
  private Producer runProducer;

  /** Where runs go that memory has no room for. */
  interface Overflow {

    /** Empties memory but its last page, whose bytes remain as they are. */
    void spill() throws IOException, InterruptedException;

    /**
     * Spills a run from a chunk on that does not fit into a page.
     *
     * @return where the run ended in the partition
     */
    long spillLarge(BlockReader block, int partition, long offset, Predicate<Producer> dropped)
        throws IOException, InterruptedException;
  }

  PartitionFetch(FetchedRuns runs, TaskMemory memory, Overflow overflow) {
    this.runs = runs;
    this.memory = memory;
    this.overflow = overflow;
  }

  /** Fetches a partition, but for the runs of dropped producers. */
  void fetch(BlockReader newBlock, int newPartition, Predicate<Producer> newDropped)
      throws IOException, InterruptedException {
    block = newBlock;
    partition = newPartition;
    dropped = newDropped;
    length = block.index().storedLength(partition);
    decoder.at(block.id(), partition);
    offset = 0;
    run = null;
    if (length > 0) {
      if (runs.last() == null) {
        runs.addPage(memory.take("fetching a partition"));
      }
      start = runs.last().end();
      end = start;
    }
    while (offset < length) {
      fetchChunk();
    }
  }

  private void fetchChunk() throws IOException, InterruptedException {
    require(ChunkFormat.HEADER_BYTES);
    ByteBuffer page = page();
    decoder.checkHeader(page, start, offset, length - offset);
    int bytes = ChunkFormat.HEADER_BYTES + ChunkFormat.storedLength(page, start);
    if (Math.max(bytes, ChunkFormat.rawLength(page, start)) > PagePool.PAGE_BYTES) {
      run = null;
      offset = overflow.spillLarge(block, partition, offset, dropped);
      start = runs.last().end();
      end = start;
      return;
    }
    require(bytes);
    decoder.checkSum(page(), start, offset);
    Producer producer = ChunkFormat.producer(page(), start);
    if (dropped.test(producer)) {
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
    if (run != null && (ChunkFormat.startsRun(page(), start) || !producer.equals(runProducer))) {
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
      runProducer = producer;
    }
    if (compressed) {
      run.setRoom(room.page(), room.start());
    }
    addToPage(bytes);
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
