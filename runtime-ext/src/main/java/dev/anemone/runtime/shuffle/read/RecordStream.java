// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.read;

import dev.anemone.runtime.clock.TaskClock.Part;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.record.RecordReader;
import dev.anemone.runtime.shuffle.format.ChunkCursor;
import dev.anemone.runtime.shuffle.format.ChunkStream;
import dev.anemone.runtime.shuffle.format.CorruptBlockException;
import dev.anemone.runtime.shuffle.format.FilledPartitions;
import dev.anemone.runtime.shuffle.merge.CopiedBytes;
import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;

/**
 * Reads one link that is not sorted: the records of segments, one segment after the other, each as
 * it was written, through one page. Used by one thread.
 */
public final class RecordStream implements RecordReader, Closeable {

  private final Iterator<Segment> segments;
  private final FetchStatistics statistics;
  private final ChunkStream chunks;
  private final Cursor cursor = new Cursor();
  private final CopiedBytes key = new CopiedBytes();
  private final CopiedBytes value = new CopiedBytes();
  private Segment segment;
  private FilledPartitions partitions;
  private boolean inPartition;

  /**
   * A stream before its first record.
   *
   * @param segments is asked for a segment when the one before has been read, whose block the
   *     stream closes; those that it was not asked for are not the stream's
   * @param memory gives one page, which goes back on {@link #close}
   * @param statistics counts what is done
   * @throws dev.anemone.runtime.memory.MemoryExhaustedException when there is no page
   */
  public RecordStream(Iterator<Segment> segments, TaskMemory memory, FetchStatistics statistics)
      throws InterruptedException {
    this.segments = segments;
    this.statistics = statistics;
    this.chunks = new ChunkStream(memory);
  }

  /**
   * Moves to the next record.
   *
   * @throws CorruptBlockException when the bytes are not those that were written
   */
  @Override
  public boolean next() throws IOException {
    if (!cursor.next()) {
      return false;
    }
    key.copy(cursor.buffer(), cursor.keyStart(), cursor.keyLength());
    value.copyValue(cursor);
    statistics.countRecord();
    return true;
  }

  @Override
  public ByteSlice key() {
    return key.sliceFrom(0);
  }

  @Override
  public ByteSlice value() {
    return value.sliceFrom(0);
  }

  /** Goes on with the next partition; a segment may have none. */
  private boolean nextPartition() throws IOException {
    while (segment == null || !partitions.next()) {
      closeSegment();
      if (!segments.hasNext()) {
        return false;
      }
      segment = segments.next();
      partitions = new FilledPartitions(segment.block().index(), segment.ranges());
    }
    chunks.open(segment.block(), partitions.partition(), 0);
    return true;
  }

  /** Closes the block and gives the page back. */
  @Override
  public void close() throws IOException {
    chunks.close();
    closeSegment();
  }

  private void closeSegment() throws IOException {
    if (segment != null) {
      segment.block().close();
      segment = null;
    }
  }

  private final class Cursor extends ChunkCursor {

    @Override
    protected boolean nextChunk() throws IOException {
      Part before = statistics.clock().enter(Part.INPUT);
      boolean next = readChunk();
      statistics.clock().back(before);
      return next;
    }

    private boolean readChunk() throws IOException {
      do {
        while (!inPartition || !chunks.next()) {
          inPartition = nextPartition();
          if (!inPartition) {
            return false;
          }
        }
      } while (segment.filter().skips(partitions.partition(), chunks.producer()));
      chunks.decode();
      statistics.countRaw(chunks.recordsLength());
      records(chunks.records(), chunks.recordsStart(), chunks.recordsLength());
      return true;
    }

    @Override
    protected boolean isContinued() {
      return chunks.isContinued();
    }

    @Override
    protected CorruptBlockException corrupt(String what) {
      return chunks.corrupt(what);
    }

    @Override
    public void close() {}
  }
}
