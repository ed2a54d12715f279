// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.store.BlockReader;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Streams the chunks of one partition after the other through one page: its front holds chunks as
 * they are stored, read ahead as far as there is room, and its back the current one decompressed. A
 * chunk of more than {@link ChunkFormat#CHUNK_BYTES}, which is one large record, goes through
 * buffers outside the task's memory. Used by one thread.
 */
public final class ChunkStream implements AutoCloseable {

  private static final int RAW_START = PagePool.PAGE_BYTES - ChunkFormat.CHUNK_BYTES;

  private final TaskMemory memory;
  private final ChunkDecoder decoder = new ChunkDecoder();
  private final LargeChunk large = new LargeChunk(decoder);
  private ByteBuffer page;
  private BlockReader block;
  private int partition;
  private long partitionBytes;

  /** Where the current chunk starts in its partition, and its length with the header. */
  private long offset;

  private int chunkBytes;

  /** The part of the page that holds stored bytes; the first belongs to the current chunk. */
  private int storedStart;

  private int storedEnd;

  private ByteBuffer records;
  private int recordsStart;
  private Producer producer;

  /**
   * A stream that has no partition yet.
   *
   * @param memory gives one page, which goes back on {@link #close}
   * @throws dev.anemone.runtime.memory.MemoryExhaustedException when it has none
   */
  public ChunkStream(TaskMemory memory) throws InterruptedException {
    this.memory = memory;
    this.page = memory.take("reading a run");
  }

  /**
   * Goes on with the chunks of a partition; the block stays the caller's.
   *
   * @param from where the first of these chunks starts in the partition
   */
  public void open(BlockReader newBlock, int newPartition, long from) {
    block = newBlock;
    partition = newPartition;
    partitionBytes = block.index().storedLength(partition);
    decoder.at(block.id(), partition);
    offset = from;
    chunkBytes = 0;
    storedStart = 0;
    storedEnd = 0;
  }

  /**
   * Moves to the next chunk of the partition, and checks it.
   *
   * @return whether there is one
   */
  public boolean next() throws IOException {
    offset += chunkBytes;
    storedStart = Math.min(storedEnd, storedStart + chunkBytes);
    chunkBytes = 0;
    if (offset == partitionBytes) {
      return false;
    }
    fetch(ChunkFormat.HEADER_BYTES);
    decoder.checkHeader(page, storedStart, offset, partitionBytes - offset);
    chunkBytes = ChunkFormat.HEADER_BYTES + ChunkFormat.storedLength(page, storedStart);
    if (isLarge()) {
      large.read(block, partition, offset, page, storedStart);
    } else {
      fetch(chunkBytes);
      decoder.checkSum(page, storedStart, offset);
    }
    return true;
  }

  private boolean isLarge() {
    return ChunkFormat.rawLength(page, storedStart) > ChunkFormat.CHUNK_BYTES;
  }

  /** Makes sure that so many bytes of the current chunk are in the page. */
  private void fetch(int bytes) throws IOException {
    if (storedEnd - storedStart >= bytes) {
      return;
    }
    int kept = storedEnd - storedStart;
    page.put(0, page, storedStart, kept);
    storedStart = 0;
    page.limit(RAW_START).position(kept);
    try {
      block.read(partition, offset + kept, page);
      storedEnd = page.position();
    } finally {
      page.clear();
    }
    if (storedEnd < bytes) {
      throw decoder.endedEarly(offset, storedEnd);
    }
  }

  /** Where the current chunk starts in its partition; after the last one, where that ended. */
  public long offset() {
    return offset;
  }

  /** Whether the current chunk starts a run. */
  public boolean startsRun() {
    return ChunkFormat.startsRun(page, storedStart);
  }

  /** Whether the record of the current chunk goes on in the next one. */
  public boolean isContinued() {
    return ChunkFormat.isContinued(page, storedStart);
  }

  /** Who made the current chunk. */
  public Producer producer() {
    producer = ChunkFormat.producer(page, storedStart, producer);
    return producer;
  }

  /** Hands the current chunk on as it is stored, as a part of the same partition. */
  public void copyTo(ChunkSink sink) throws IOException, InterruptedException {
    if (isLarge()) {
      sink.accept(partition, large.stored(), recordsLength());
      return;
    }
    try {
      ByteBuffer chunk = page.limit(storedStart + chunkBytes).position(storedStart);
      sink.accept(partition, chunk, recordsLength());
    } finally {
      page.clear();
    }
  }

  /** Decompresses the current chunk where that is needed. */
  public void decode() throws IOException {
    if (isLarge()) {
      records = large.decode(offset);
      recordsStart = large.recordsStart();
    } else if (ChunkFormat.codec(page, storedStart) == Codec.NONE) {
      records = page;
      recordsStart = storedStart + ChunkFormat.HEADER_BYTES;
    } else {
      decoder.decompress(page, storedStart, offset, page, RAW_START);
      records = page;
      recordsStart = RAW_START;
    }
  }

  /** The buffer that the records are in after {@link #decode}; valid until {@link #next}. */
  public ByteBuffer records() {
    return records;
  }

  /** Where the records start in their buffer. */
  public int recordsStart() {
    return recordsStart;
  }

  /** Bytes of the current chunk's records. */
  public int recordsLength() {
    return ChunkFormat.rawLength(page, storedStart);
  }

  /** The exception for the current chunk. */
  public CorruptBlockException corrupt(String what) {
    return decoder.corrupt(offset, what);
  }

  /** Gives the page back; may be called again. */
  @Override
  public void close() {
    if (page != null) {
      memory.giveBack(page);
      page = null;
    }
  }
}
