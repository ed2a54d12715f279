// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.protocol.PageRef;
import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.zip.CRC32C;

/**
 * Writes the pages of an object, one after the other. Bytes gather in a registered buffer, and are
 * sent when the page is full or others are sent directly. Not thread-safe.
 */
final class PageWriter {

  private static final int NONE = -1;

  private final ClientParts parts;
  private final Transfer transfer;
  private final Source source;
  private final CRC32C checksum = new CRC32C();
  private Placement.NewPage page;
  private int buffer = NONE;
  private int buffered;
  private int sent;

  /** Where a page comes from; asked when there is something to send. */
  @FunctionalInterface
  interface Source {
    /** Waits for it. */
    Placement.NewPage take() throws IOException;
  }

  /**
   * A writer at its first page.
   *
   * @param transfer waits for what is sent from buffers
   * @param source where all pages come from
   */
  public PageWriter(ClientParts parts, Transfer transfer, Source source) {
    this.parts = parts;
    this.transfer = transfer;
    this.source = source;
  }

  boolean isFull() {
    return sent + buffered == parts.pageBytes();
  }

  /** Whether nothing of its page has been sent, so that there need not be one yet. */
  boolean isWithoutPage() {
    return page == null;
  }

  /** What was put and not sent yet; valid until the next call. */
  ByteBuffer buffered() {
    return buffered == 0 ? ByteBuffer.allocate(0) : parts.buffers().ownView(buffer, buffered);
  }

  /** Copies as much as the page has room for. */
  void put(ByteBuffer bytes) throws IOException {
    if (buffer == NONE) {
      buffer = parts.buffers().take(parts.deadline());
    }
    int count = Math.min(bytes.remaining(), parts.pageBytes() - sent - buffered);
    parts.buffers().fill(buffer, buffered, bytes, count);
    buffered += count;
  }

  /**
   * Sends as much as the page has room for, without a copy.
   *
   * @return bytes that are being sent
   */
  int send(MemoryRegion from, int position, int available, Transfer direct) throws IOException {
    sendBuffered();
    takePage();
    int count = Math.min(available, parts.pageBytes() - sent);
    checksum.update(from.memory().slice(position, count));
    write(from, position, count, direct.begin());
    return count;
  }

  /**
   * Sends what is left, and goes on to the next page. The page is written when the transfers have
   * ended.
   */
  PageRef finish() throws IOException {
    sendBuffered();
    PageRef finished =
        new PageRef(
            page.server().number(),
            page.server().incarnation(),
            page.allocated().tier(),
            page.allocated().number(),
            page.allocated().generation(),
            sent,
            (int) checksum.getValue());
    page = null;
    sent = 0;
    checksum.reset();
    return finished;
  }

  /** Hands what was not sent yet to a channel. */
  void copyBuffered(WritableByteChannel target) throws IOException {
    target.write(buffered());
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
    // First, since it can fail, and what was done before would be done again.
    takePage();
    checksum.update(parts.buffers().ownView(buffer, buffered));
    int position = buffer;
    int count = buffered;
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
    page.server().write(from, position, count, page.allocated().number(), sent, completion);
    sent += count;
  }

  private void takePage() throws IOException {
    if (page == null) {
      page = source.take();
    }
  }
}
