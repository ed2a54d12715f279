// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Packs runs into chunks and hands them on, several at a time where they are small. Works in one
 * page of the task's memory: records are gathered in its first part and compressed into its second;
 * where nothing is compressed, they are gathered where the chunk is to be. A record that needs a
 * chunk to itself is compressed into a buffer of its own, outside the task's memory, which is kept;
 * one that is larger than a page is divided, but not where a sink may separate what belongs
 * together, nor where its key is large, too. Used by one thread.
 */
public final class ChunkWriter implements Closeable {

  /** A record with a larger key is not divided. */
  public static final int LARGEST_DIVIDED_KEY = 32 << 10;

  private final boolean splitsRuns;
  private final TaskMemory memory;
  private final Codec codec;
  private final Producer producer;
  private final ChunkCompressor compressor;
  private final CRC32C crc = new CRC32C();
  private final ByteBuffer page;
  private final int firstChunk;
  private final int largestChunk;
  private ByteBuffer large = ByteBuffer.allocateDirect(0);

  private ChunkSink sink;
  private int partition;
  private boolean runStart;
  private boolean continued;
  private int gatherStart;
  private int gatherEnd;
  private int chunksEnd;
  private long pendingRawBytes;

  /**
   * A writer.
   *
   * @param memory gives one page, which goes back on {@link #close}
   * @throws dev.anemone.runtime.memory.MemoryExhaustedException when it has none
   */
  public ChunkWriter(Codec codec, Producer producer, TaskMemory memory)
      throws InterruptedException {
    this(codec, producer, memory, false);
  }

  /**
   * A writer for sinks that may separate what they get in one call from what they get in another.
   *
   * @param splitsRuns whether what is handed over at a time is a run of its own, which any part of
   *     a sorted run is
   */
  public ChunkWriter(Codec codec, Producer producer, TaskMemory memory, boolean splitsRuns)
      throws InterruptedException {
    this.splitsRuns = splitsRuns;
    this.memory = memory;
    this.codec = codec;
    this.producer = producer;
    this.page = memory.take("packing the output of a task");
    this.compressor = ChunkCompressor.of(codec);
    this.firstChunk = codec == Codec.NONE ? 0 : ChunkFormat.CHUNK_BYTES;
    this.largestChunk = ChunkFormat.HEADER_BYTES + compressor.bound(ChunkFormat.CHUNK_BYTES);
  }

  /**
   * Writes the records that a cursor has left as one run of a partition, and hands over all of it.
   * Does not close the cursor.
   *
   * @return number of records
   */
  public long write(int runPartition, RunCursor run, ChunkSink runSink)
      throws IOException, InterruptedException {
    sink = runSink;
    partition = runPartition;
    runStart = true;
    pendingRawBytes = 0;
    chunksEnd = firstChunk;
    startGathering();
    long records = 0;
    while (run.next()) {
      ByteBuffer source = run.buffer();
      int start = run.recordStart();
      int length = run.recordEnd() - start;
      if (length > ChunkFormat.CHUNK_BYTES - (gatherEnd - gatherStart)) {
        finishChunk();
      }
      if (length >= ChunkFormat.CHUNK_BYTES) {
        writeLarge(run, source, start, length);
      } else {
        page.put(gatherEnd, source, start, length);
        gatherEnd += length;
      }
      records++;
    }
    finishChunk();
    handOver();
    return records;
  }

  private void startGathering() {
    gatherStart = codec == Codec.NONE ? chunksEnd + ChunkFormat.HEADER_BYTES : 0;
    gatherEnd = gatherStart;
  }

  private void finishChunk() throws IOException, InterruptedException {
    if (gatherEnd > gatherStart) {
      int length = gatherEnd - gatherStart;
      chunksEnd +=
          codec == Codec.NONE
              ? complete(page, chunksEnd, Codec.NONE, length, length)
              : encode(page, gatherStart, length, page, chunksEnd);
      if (PagePool.PAGE_BYTES - chunksEnd < largestChunk) {
        handOver();
      }
      startGathering();
    }
  }

  private void writeLarge(RunCursor run, ByteBuffer source, int start, int length)
      throws IOException, InterruptedException {
    boolean arrivesDivided = RecordFormat.size(run.keyLength(), run.valueLength()) > length;
    if (arrivesDivided
        || (length > PagePool.PAGE_BYTES
            && run.keyLength() <= LARGEST_DIVIDED_KEY
            && !splitsRuns)) {
      divide(run);
    } else {
      writeWhole(source, start, length);
    }
  }

  /** Writes a record as full chunks, and one with what is left. */
  private void divide(RunCursor run) throws IOException, InterruptedException {
    do {
      ByteBuffer source = run.buffer();
      int end = run.recordEnd();
      for (int from = run.recordStart(); from < end; ) {
        int room = ChunkFormat.CHUNK_BYTES - (gatherEnd - gatherStart);
        if (room == 0) {
          continued = true;
          finishChunk();
          continued = false;
        } else {
          int part = Math.min(room, end - from);
          page.put(gatherEnd, source, from, part);
          gatherEnd += part;
          from += part;
        }
      }
    } while (run.nextPart());
    finishChunk();
  }

  private void writeWhole(ByteBuffer source, int start, int length)
      throws IOException, InterruptedException {
    handOver();
    int chunkBytes = ChunkFormat.HEADER_BYTES + compressor.bound(length);
    int needed = source.isDirect() ? chunkBytes : chunkBytes + length;
    if (large.capacity() < needed) {
      large = ByteBuffer.allocateDirect(needed);
    }
    large.clear();
    int end;
    if (source.isDirect()) {
      end = encode(source, start, length, large, 0);
    } else {
      large.put(chunkBytes, source, start, length);
      end = encode(large, chunkBytes, length, large, 0);
    }
    handOver(large.limit(end));
    startGathering();
  }

  /** Makes a chunk of a payload from elsewhere, and gives its length with the header. */
  private int encode(ByteBuffer source, int start, int length, ByteBuffer target, int at) {
    int payload = at + ChunkFormat.HEADER_BYTES;
    int stored = compressor.compress(source, start, length, target, payload);
    if (stored < length) {
      return complete(target, at, codec, length, stored);
    }
    target.put(payload, source, start, length);
    return complete(target, at, Codec.NONE, length, length);
  }

  /** Writes the header of a chunk whose payload is in its place, and gives the length of both. */
  private int complete(ByteBuffer target, int at, Codec how, int length, int stored) {
    ChunkFormat.writeHeader(target, at, runStart, continued, how, length, stored, producer, crc);
    runStart = false;
    pendingRawBytes += length;
    return ChunkFormat.HEADER_BYTES + stored;
  }

  private void handOver() throws IOException, InterruptedException {
    if (chunksEnd > firstChunk) {
      handOver(page.limit(chunksEnd).position(firstChunk));
      page.clear();
      chunksEnd = firstChunk;
    }
  }

  private void handOver(ByteBuffer chunks) throws IOException, InterruptedException {
    long rawBytes = pendingRawBytes;
    pendingRawBytes = 0;
    sink.accept(partition, chunks, rawBytes);
    runStart |= splitsRuns;
  }

  @Override
  public void close() {
    compressor.close();
    memory.giveBack(page);
  }
}
