// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.memory.PagePool;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The batches of one producer, packed into pages one behind the other. One connection writes them;
 * the owner of the receiver takes or drops them at any time. Pages into which the network writes by
 * itself are pinned: they are not given back before it has ended. Thread-safe.
 */
public final class ProducerLog {

  /** What becomes of a batch that wants to begin. */
  public enum Admission {
    /** Its bytes may be appended; all pages that it needs are there. */
    BEGUN,
    /** There are not enough pages now. */
    NO_MEMORY,
    /** There never will be enough. */
    TOO_LARGE,
    /** The log was taken or dropped. */
    CLOSED
  }

  private final PageReserve reserve;
  private final List<ByteBuffer> pages = new ArrayList<>();
  private final Set<ArrivingBatch> pinned = new HashSet<>();

  /** Where the next batch may begin. */
  private long reserved;

  /** Where the last of the batches ends that are complete. */
  private long end;

  /** Batches that have room here and are not complete. */
  private int underWay;

  /** Batches that were handed out before it was known whether they count. */
  private final BitSet spilled = new BitSet();

  private boolean abandoned;
  private boolean closed;

  ProducerLog(PageReserve reserve) {
    this.reserve = reserve;
  }

  /**
   * Finds room for a batch. Several may be on their way; each has a larger number than those
   * before.
   */
  synchronized Admission begin(ArrivingBatch batch) {
    if (closed) {
      return Admission.CLOSED;
    }
    if (!reserve.canEverHold(batch.bytes())) {
      return Admission.TOO_LARGE;
    }
    long aligned = LoggedBatches.align(reserved);
    if (!reserve.extend(pages, PageReserve.pagesFor(aligned + batch.bytes()))) {
      return Admission.NO_MEMORY;
    }
    batch.placeAt(aligned);
    LoggedBatches.begin(page(aligned), batch);
    reserved = batch.end();
    underWay++;
    return Admission.BEGUN;
  }

  /**
   * Appends bytes to a batch that was begun; they leave the buffer.
   *
   * @return false, with the bytes still in the buffer, when the log was taken or dropped
   */
  public synchronized boolean append(ArrivingBatch batch, ByteBuf bytes, int count) {
    if (closed) {
      return false;
    }
    int left = count;
    while (left > 0) {
      int offset = offset(batch.position());
      int part = Math.min(left, PagePool.PAGE_BYTES - offset);
      bytes.readBytes(page(batch.position()).clear().position(offset).limit(offset + part));
      batch.advance(part);
      left -= part;
    }
    return true;
  }

  /**
   * Pins the pages of a batch that was begun, for the network to write into them.
   *
   * @return false when the log was taken or dropped
   */
  public synchronized boolean pin(ArrivingBatch batch) {
    if (closed) {
      return false;
    }
    pinned.add(batch);
    return true;
  }

  /**
   * The page of a pinned batch at a position in the log.
   *
   * @return as it was taken from its pool; its position and limit mean nothing
   */
  public synchronized ByteBuffer page(long position) {
    return pages.get((int) (position / PagePool.PAGE_BYTES));
  }

  public static int offset(long position) {
    return (int) (position % PagePool.PAGE_BYTES);
  }

  /**
   * Completes a batch that was begun, into which nothing is written any longer; false when the log
   * was taken or dropped.
   */
  public synchronized boolean complete(ArrivingBatch batch) {
    pinned.remove(batch);
    if (closed) {
      freeIdlePages();
      return false;
    }
    underWay--;
    LoggedBatches.complete(page(batch.start()), batch);
    end = Math.max(end, batch.end());
    return true;
  }

  /** Forgets the batches that were begun and not completed; nothing is written into them. */
  public synchronized void abandon() {
    abandoned = true;
    pinned.clear();
    if (closed) {
      freeIdlePages();
    } else {
      reserve.shrink(pages, PageReserve.pagesFor(end));
    }
  }

  /**
   * Closes the log and hands batches over; frees everything else.
   *
   * @param named the batches that count, which those that were spilled must be part of
   * @param whenFreed is run when the batches are given back
   * @return those that were not spilled; empty, and everything freed, when one of the batches is
   *     not there, or one that was spilled does not count
   */
  synchronized Optional<PushedBatches> take(BitSet named, Runnable whenFreed) {
    if (closed) {
      return Optional.empty();
    }
    BitSet left = (BitSet) named.clone();
    left.andNot(spilled);
    if (named.cardinality() - left.cardinality() < spilled.cardinality()) {
      close();
      return Optional.empty();
    }
    return takeHere(left, whenFreed);
  }

  /**
   * Hands all batches out before it is known whether they count, so that they need no memory. A log
   * whose connection has ended keeps what it has: its sender may not know that the last of its
   * batches have arrived, and have them elsewhere, too.
   *
   * @param whenFreed is run when the batches are given back
   * @return empty when there are none, or some are on their way
   */
  synchronized Optional<PushedBatches> spill(Runnable whenFreed) {
    if (closed || abandoned || underWay > 0 || end == 0) {
      return Optional.empty();
    }
    ProducerLog part = new ProducerLog(reserve);
    part.pages.addAll(pages);
    part.end = end;
    pages.clear();
    reserved = 0;
    end = 0;
    BitSet numbers = part.numbers();
    spilled.or(numbers);
    return part.takeHere(numbers, whenFreed);
  }

  /** The batches that are complete. */
  private BitSet numbers() {
    BitSet numbers = new BitSet();
    for (long start = 0; start < end; ) {
      ByteBuffer page = page(start);
      int number = LoggedBatches.number(page, start);
      if (number >= 0) {
        numbers.set(number);
      }
      start = LoggedBatches.align(LoggedBatches.end(page, start));
    }
    return numbers;
  }

  private synchronized Optional<PushedBatches> takeHere(BitSet numbers, Runnable whenFreed) {
    long[] named = new long[numbers.cardinality()];
    int count = 0;
    BitSet used = new BitSet();
    long batchEnd;
    for (long start = 0; start < end; start = LoggedBatches.align(batchEnd)) {
      ByteBuffer page = page(start);
      batchEnd = LoggedBatches.end(page, start);
      int number = LoggedBatches.number(page, start);
      if (number >= 0 && numbers.get(number)) {
        named[count++] = start;
        used.set((int) (start / PagePool.PAGE_BYTES), (int) PageReserve.pagesFor(batchEnd));
      }
    }
    if (count < named.length) {
      close();
      return Optional.empty();
    }
    ByteBuffer[] kept = new ByteBuffer[used.length()];
    for (int page = used.nextSetBit(0); page >= 0; page = used.nextSetBit(page + 1)) {
      kept[page] = pages.set(page, null);
    }
    close();
    return Optional.of(new PushedBatches(kept, named, this, whenFreed));
  }

  /**
   * Takes pages back that were handed out.
   *
   * @param kept null where there was none; each at its place in the log
   */
  synchronized void takeBack(ByteBuffer... kept) {
    for (int i = 0; i < kept.length; i++) {
      if (kept[i] != null) {
        pages.set(i, kept[i]);
      }
    }
    freeIdlePages();
  }

  /** Drops everything; nothing can be appended any more. */
  synchronized void close() {
    closed = true;
    freeIdlePages();
  }

  private void freeIdlePages() {
    BitSet busy = new BitSet();
    for (ArrivingBatch batch : pinned) {
      busy.set(
          (int) (batch.start() / PagePool.PAGE_BYTES), (int) PageReserve.pagesFor(batch.end()));
    }
    for (int i = busy.nextClearBit(0); i < pages.size(); i = busy.nextClearBit(i + 1)) {
      ByteBuffer page = pages.set(i, null);
      if (page != null) {
        reserve.giveBack(page);
      }
    }
  }
}
