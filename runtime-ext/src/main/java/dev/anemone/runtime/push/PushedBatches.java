// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.protocol.PushProtocol;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Batches of one producer, taken out of a {@link PushReceiver}. The caller owns them and has to
 * close them; they outlive the receiver. Used by one thread at a time.
 */
public final class PushedBatches implements AutoCloseable {

  /** Looks at the entries of batches. */
  @FunctionalInterface
  public interface Visitor {

    /**
     * An entry, or the next part of one.
     *
     * @param bytes from position to limit; valid until the call returns
     * @param rawBytes of the whole entry for its first part, 0 for the others, so that the sum is
     *     right
     */
    void visit(int partition, ByteBuffer bytes, long rawBytes) throws IOException;
  }

  private final ByteBuffer[] pages;
  private final long[] starts;
  private final ProducerLog log;
  private final Runnable whenFreed;
  private boolean closed;

  /**
   * Batches in pages.
   *
   * @param pages null where there is nothing of these batches
   * @param starts where they begin, from the start of the first page, in the order of their numbers
   */
  PushedBatches(ByteBuffer[] pages, long[] starts, ProducerLog log, Runnable whenFreed) {
    this.pages = pages;
    this.starts = starts;
    this.log = log;
    this.whenFreed = whenFreed;
  }

  /**
   * Bytes of all entries.
   *
   * @throws IllegalStateException when the batches were closed
   */
  public long bytes() {
    requireOpen();
    long sum = 0;
    for (long start : starts) {
      sum += LoggedBatches.payloadBytes(page(start), start);
    }
    return sum;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("these batches were given back");
    }
  }

  /**
   * Goes over all entries, batch by batch in the order of their numbers, and in a batch in the
   * order in which they were written. An entry that spans pages comes in several parts.
   *
   * @throws IllegalStateException when the batches were closed
   * @throws IOException what the visitor throws
   */
  public void forEach(Visitor visitor) throws IOException {
    requireOpen();
    for (long start : starts) {
      long tableEnd = LoggedBatches.payloadStart(page(start), start);
      long payload = tableEnd;
      for (long entry = start + LoggedBatches.HEADER_BYTES;
          entry < tableEnd;
          entry += PushProtocol.ENTRY_BYTES) {
        payload = visitEntry(entry, payload, visitor);
      }
    }
  }

  private long visitEntry(long entry, long payload, Visitor visitor) throws IOException {
    ByteBuffer table = page(entry).clear();
    int offset = offset(entry);
    int partition = table.getInt(offset);
    int length = table.getInt(offset + PushProtocol.ENTRY_LENGTH);
    long rawBytes = table.getLong(offset + PushProtocol.ENTRY_RAW_BYTES);
    if (length == 0) {
      visitor.visit(partition, table.limit(0), rawBytes);
      return payload;
    }
    long end = payload + length;
    long position = payload;
    while (position < end) {
      int from = offset(position);
      int part = (int) Math.min(end - position, PagePool.PAGE_BYTES - from);
      ByteBuffer bytes = page(position).clear().position(from).limit(from + part);
      visitor.visit(partition, bytes, position == payload ? rawBytes : 0);
      position += part;
    }
    return end;
  }

  private ByteBuffer page(long position) {
    return pages[(int) (position / PagePool.PAGE_BYTES)];
  }

  private static int offset(long position) {
    return (int) (position % PagePool.PAGE_BYTES);
  }

  /** Gives the memory back, which lets waiting batches in. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    log.takeBack(pages);
    whenFreed.run();
  }
}
