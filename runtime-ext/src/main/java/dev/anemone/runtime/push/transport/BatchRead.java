// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.transport;

import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.RemoteRegion;
import dev.anemone.runtime.memory.PagePlace;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.ArrivingBatch;
import dev.anemone.runtime.push.ProducerLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * Reads the bytes of a batch from the sender's pages into those of its log, which are pinned. Used
 * by the tasks of one executor, which runs one at a time.
 */
final class BatchRead implements Completion {

  /** Reads of a batch that are under way at a time. */
  static final int MOST_UNDER_WAY = 4;

  /**
   * A page of the sender's.
   *
   * @param region in which it lies
   * @param offset in the region, bytes
   */
  record Source(RemoteRegion region, int offset) {}

  private final ArrivingBatch batch;
  private final int checksum;
  private final Source[] sources;
  private final ProducerLog log;
  private final RegisteredPages pages;
  private final Connection connection;
  private final Executor executor;
  private final Consumer<BatchRead> ended;
  private long next;
  private int underWay;
  private IOException failure;

  /**
   * A read that has not begun.
   *
   * @param batch has room in the log, and its table is there
   * @param checksum what the sender says that it is
   * @param sources the pages of the batch, all of them full but the last
   * @param executor runs {@code ended}
   * @param ended is told when nothing is under way any longer
   */
  BatchRead(
      ArrivingBatch batch,
      int checksum,
      Source[] sources,
      ProducerLog log,
      RegisteredPages pages,
      Connection connection,
      Executor executor,
      Consumer<BatchRead> ended) {
    this.batch = batch;
    this.checksum = checksum;
    this.sources = sources;
    this.log = log;
    this.pages = pages;
    this.connection = connection;
    this.executor = executor;
    this.ended = ended;
  }

  ArrivingBatch batch() {
    return batch;
  }

  /** Why it has not been read, or null. */
  IOException failure() {
    return failure;
  }

  /** Begins; may end at once. */
  void begin() {
    readMore();
    endIfOver();
  }

  private void readMore() {
    while (failure == null && underWay < MOST_UNDER_WAY && next < batch.payloadBytes()) {
      try {
        readNext();
      } catch (IOException e) {
        failure = e;
      }
    }
  }

  /** Reads what lies in one page on either side. */
  private void readNext() throws IOException {
    int from = (int) (next % PagePool.PAGE_BYTES);
    long position = batch.payloadStart() + next;
    int to = ProducerLog.offset(position);
    int length =
        (int) Math.min(batch.payloadBytes() - next, PagePool.PAGE_BYTES - Math.max(from, to));
    Source source = sources[(int) (next / PagePool.PAGE_BYTES)];
    PagePlace place = pages.placeOf(log.page(position));
    MemoryRegion region = pages.region(place);
    next += length;
    underWay++;
    try {
      connection.read(
          source.region(),
          (long) source.offset() + from,
          region,
          place.offset() + to,
          length,
          this);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      underWay--;
      throw new IOException("it names memory that cannot be: " + e.getMessage(), e);
    }
  }

  @Override
  public void completed(IOException why) {
    executor.execute(
        () -> {
          underWay--;
          failure = failure == null ? why : failure;
          readMore();
          endIfOver();
        });
  }

  private void endIfOver() {
    if (underWay == 0 && (failure != null || next == batch.payloadBytes())) {
      ended.accept(this);
    }
  }

  /** Whether the bytes that were read are those that the sender meant. */
  boolean isIntact() {
    CRC32C found = new CRC32C();
    long position = batch.payloadStart();
    while (position < batch.end()) {
      int offset = ProducerLog.offset(position);
      int length = (int) Math.min(batch.end() - position, PagePool.PAGE_BYTES - offset);
      ByteBuffer bytes = log.page(position).duplicate();
      found.update(bytes.clear().position(offset).limit(offset + length));
      position += length;
    }
    return (int) found.getValue() == checksum;
  }
}
