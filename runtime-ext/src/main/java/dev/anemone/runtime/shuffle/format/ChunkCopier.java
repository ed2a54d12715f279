// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.store.BlockReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Copies partitions of blocks as they are stored, chunk by chunk, and checks every checksum on the
 * way: a damaged block is noticed by whoever can have it made again. Used by one thread.
 */
public final class ChunkCopier implements Closeable {

  private final TaskMemory memory;
  private final ByteBuffer page;
  private final ChunkDecoder decoder = new ChunkDecoder();

  /** Takes a page. */
  public ChunkCopier(TaskMemory memory) throws InterruptedException {
    this.memory = memory;
    this.page = memory.take("a page to copy blocks through");
  }

  /**
   * Copies a partition.
   *
   * @return bytes that were copied
   * @throws CorruptBlockException when a chunk is not what was written; those before it have been
   *     copied
   */
  public long copy(BlockReader block, int partition, ChunkSink sink)
      throws IOException, InterruptedException {
    long length = block.index().storedLength(partition);
    decoder.at(block.id(), partition);
    long copied = 0;
    while (copied < length) {
      page.clear().limit((int) Math.min(PagePool.PAGE_BYTES, length - copied));
      block.read(partition, copied, page);
      page.flip();
      int whole = checkWholeChunks(copied, length);
      if (whole == 0) {
        copied += copyJumbo(block, partition, copied, length, sink);
      } else {
        long raw = rawBytes(page, whole);
        sink.accept(partition, page.limit(whole), raw);
        copied += whole;
      }
    }
    return copied;
  }

  /** Checks the chunks that are in the page as a whole; returns where the last of them ends. */
  private int checkWholeChunks(long offset, long length) throws CorruptBlockException {
    int end = 0;
    while (end + ChunkFormat.HEADER_BYTES <= page.limit()) {
      decoder.checkHeader(page, end, offset + end, length - offset - end);
      int next = end + ChunkFormat.HEADER_BYTES + ChunkFormat.storedLength(page, end);
      if (next > page.limit()) {
        break;
      }
      decoder.checkSum(page, end, offset + end);
      end = next;
    }
    if (end == 0 && page.limit() < ChunkFormat.HEADER_BYTES) {
      throw decoder.corrupt(offset, "ended early: there are only " + page.limit() + " bytes of it");
    }
    return end;
  }

  private static long rawBytes(ByteBuffer chunks, int end) {
    long raw = 0;
    for (int at = 0; at < end; ) {
      raw += ChunkFormat.rawLength(chunks, at);
      at += ChunkFormat.HEADER_BYTES + ChunkFormat.storedLength(chunks, at);
    }
    return raw;
  }

  /** Copies a chunk that is larger than a page, through a buffer of its own. */
  private long copyJumbo(BlockReader block, int partition, long offset, long length, ChunkSink sink)
      throws IOException, InterruptedException {
    int bytes = ChunkFormat.HEADER_BYTES + ChunkFormat.storedLength(page, 0);
    ByteBuffer chunk = ByteBuffer.allocate(bytes);
    block.read(partition, offset, chunk);
    chunk.flip();
    decoder.checkHeader(chunk, 0, offset, length - offset);
    decoder.checkSum(chunk, 0, offset);
    sink.accept(partition, chunk, ChunkFormat.rawLength(chunk, 0));
    return bytes;
  }

  @Override
  public void close() {
    memory.giveBack(page);
  }
}
