package dev.anemone.runtime.push;

import dev.anemone.runtime.memory.PagePool;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The batches of one producer, packed into pages one behind the other. One connection writes them,
 * one batch at a time; the owner of the receiver takes or drops them at any time. Thread-safe.
 */
final class ProducerLog {

  /** What becomes of a batch that wants to begin. */
  enum Admission {
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
  private final Map<Integer, StoredBatch> batches = new HashMap<>();
  private long start;
  private long position;
  private long end;
  private boolean closed;

  ProducerLog(PageReserve reserve) {
    this.reserve = reserve;
  }

  synchronized boolean contains(int number) {
    return batches.containsKey(number);
  }

  /** Begins a batch of so many bytes, its table included. */
  synchronized Admission begin(long bytes) {
    if (closed) {
      return Admission.CLOSED;
    }
    if (!reserve.canEverHold(bytes)) {
      return Admission.TOO_LARGE;
    }
    long aligned = (end + PushProtocol.ENTRY_BYTES - 1) & -PushProtocol.ENTRY_BYTES;
    if (!reserve.extend(pages, PageReserve.pagesFor(aligned + bytes))) {
      return Admission.NO_MEMORY;
    }
    start = aligned;
    position = aligned;
    return Admission.BEGUN;
  }

  /**
   * Appends bytes to the batch that was begun; they leave the buffer.
   *
   * @return false, with the bytes still in the buffer, when the log was taken or dropped
   */
  synchronized boolean append(ByteBuf bytes, int count) {
    if (closed) {
      return false;
    }
    int left = count;
    while (left > 0) {
      ByteBuffer page = pages.get((int) (position / PagePool.PAGE_BYTES));
      int offset = (int) (position % PagePool.PAGE_BYTES);
      int part = Math.min(left, PagePool.PAGE_BYTES - offset);
      bytes.readBytes(page.clear().position(offset).limit(offset + part));
      position += part;
      left -= part;
    }
    return true;
  }

  /** Completes the batch that was begun; false when the log was taken or dropped. */
  synchronized boolean complete(int number, int entries, long payloadBytes) {
    if (closed) {
      return false;
    }
    batches.put(number, new StoredBatch(start, entries, payloadBytes));
    end = position;
    return true;
  }

  /** Forgets the batch that was begun and not completed, if there is one. */
  synchronized void abandon() {
    if (!closed) {
      reserve.shrink(pages, PageReserve.pagesFor(end));
    }
  }

  /**
   * Closes the log and hands batches over; frees everything else.
   *
   * @param whenFreed is run when the batches are given back
   * @return empty, and everything freed, when one of the batches is not there
   */
  synchronized Optional<PushedBatches> take(BitSet numbers, Runnable whenFreed) {
    if (closed) {
      return Optional.empty();
    }
    List<StoredBatch> named = new ArrayList<>();
    BitSet used = new BitSet();
    for (int number = numbers.nextSetBit(0); number >= 0; number = numbers.nextSetBit(number + 1)) {
      StoredBatch batch = batches.get(number);
      if (batch == null) {
        close();
        return Optional.empty();
      }
      named.add(batch);
      used.set(
          (int) (batch.start() / PagePool.PAGE_BYTES), (int) PageReserve.pagesFor(batch.end()));
    }
    ByteBuffer[] kept = new ByteBuffer[used.length()];
    for (int page = used.nextSetBit(0); page >= 0; page = used.nextSetBit(page + 1)) {
      kept[page] = pages.set(page, null);
    }
    pages.removeIf(page -> page == null);
    close();
    return Optional.of(new PushedBatches(kept, named, reserve, whenFreed));
  }

  /** Drops everything; nothing can be appended any more. */
  synchronized void close() {
    closed = true;
    batches.clear();
    reserve.shrink(pages, 0);
  }
}
