// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.protocol.ChunkRef;
import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.zip.CRC32C;

/**
 * Writes the chunks of an object, one after the other. Bytes gather in a registered buffer, and are
 * sent when the chunk is full or others are sent directly. Not thread-safe.
 */
final class ChunkWriter {

  private static final int NONE = -1;

  private final ClientParts parts;
  private final Transfer transfer;
  private final Source source;
  private final CRC32C checksum = new CRC32C();
  private Placement.NewChunk chunk;
  private int buffer = NONE;
  private int buffered;
  private int sent;

  /** Where a chunk comes from; asked when there is something to send. */
  @FunctionalInterface
  interface Source {
    /** Waits for it. */
    Placement.NewChunk take() throws IOException;
  }

  /**
   * A writer at its first chunk.
   *
   * @param transfer waits for what is sent from buffers
   * @param source where all chunks come from
   */
  public ChunkWriter(ClientParts parts, Transfer transfer, Source source) {
    this.parts = parts;
    this.transfer = transfer;
    this.source = source;
  }

  boolean isFull() {
    return sent + buffered == parts.chunkBytes();
  }

  /** Copies as much as the chunk has room for. */
  void put(ByteBuffer bytes) throws IOException {
    if (buffer == NONE) {
      buffer = parts.buffers().take(parts.deadline());
    }
    int count = Math.min(bytes.remaining(), parts.chunkBytes() - sent - buffered);
    parts.buffers().fill(buffer, buffered, bytes, count);
    buffered += count;
  }

  /**
   * Sends as much as the chunk has room for, without a copy.
   *
   * @return bytes that are being sent
   */
  int send(MemoryRegion from, int position, int available, Transfer direct) throws IOException {
    sendBuffered();
    takeChunk();
    int count = Math.min(available, parts.chunkBytes() - sent);
    checksum.update(from.memory().slice(position, count));
    write(from, position, count, direct.begin());
    return count;
  }

  /**
   * Sends what is left, and goes on to the next chunk. The chunk is written when the transfers have
   * ended.
   */
  ChunkRef finish() throws IOException {
    sendBuffered();
    ChunkRef finished =
        new ChunkRef(
            chunk.server().number(),
            chunk.server().incarnation(),
            chunk.chunk().tier(),
            chunk.chunk().number(),
            chunk.chunk().generation(),
            sent,
            (int) checksum.getValue());
    chunk = null;
    sent = 0;
    checksum.reset();
    return finished;
  }

  /** Hands what was not sent yet to a channel. */
  void copyBuffered(WritableByteChannel target) throws IOException {
    if (buffered > 0) {
      target.write(parts.buffers().ownView(buffer, buffered));
    }
  }

  /** Sends nothing more. */
  void abandon() {
    if (buffer != NONE) {
      parts.buffers().giveBack(buffer);
      buffer = NONE;
    }
    buffered = 0;
  }

  private void sendBuffered() throws IOException {
    if (buffered == 0) {
      return;
    }
    checksum.update(parts.buffers().ownView(buffer, buffered));
    int position = buffer;
    int count = buffered;
    takeChunk();
    buffer = NONE;
    buffered = 0;
    transfer.begin();
    write(
        parts.buffers().region(),
        position,
        count,
        failure -> {
          parts.buffers().giveBack(position);
          transfer.completed(failure);
        });
  }

  private void write(MemoryRegion from, int position, int count, Completion completion) {
    chunk.server().write(from, position, count, chunk.chunk().number(), sent, completion);
    sent += count;
  }

  private void takeChunk() throws IOException {
    if (chunk == null) {
      chunk = source.take();
    }
  }
}
