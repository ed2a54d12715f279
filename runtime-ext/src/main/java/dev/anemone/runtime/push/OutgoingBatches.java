package dev.anemone.runtime.push;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All batches of a sender that have pages. Pages of a batch go back when its bytes are settled and
 * the network has released it, whichever comes last. Used by the sender's thread.
 */
final class OutgoingBatches {

  private final TaskMemory memory;
  private final Set<OutgoingBatch> batches = new HashSet<>();
  private int sent;
  private int inNetwork;

  OutgoingBatches(TaskMemory memory) {
    this.memory = memory;
  }

  /** Whether a batch of so many bytes can be had at all. */
  boolean canEverHold(int bytes) {
    return PageReserve.pagesFor(bytes) * PagePool.PAGE_BYTES <= memory.budgetBytes();
  }

  /**
   * A batch without pages.
   *
   * @param maxEntries entries that it may have
   */
  OutgoingBatch begin(int maxEntries) {
    OutgoingBatch batch = new OutgoingBatch(maxEntries);
    batches.add(batch);
    return batch;
  }

  /** Adds a page to a batch; false when there is none to be had now. */
  boolean addPage(OutgoingBatch batch) {
    ByteBuffer page = memory.tryTake();
    if (page == null) {
      return false;
    }
    batch.addPage(page);
    return true;
  }

  /** Notes that the network gets a batch. */
  void send(OutgoingBatch batch, int number) {
    batch.sendAs(number);
    sent++;
    inNetwork++;
  }

  /** Notes that the network has released a batch. */
  void release(OutgoingBatch batch) {
    inNetwork--;
    batch.releasedByNetwork();
    giveBackIfDone(batch);
  }

  /** Notes that the bytes of a batch are safe, or not needed any more. */
  void settle(OutgoingBatch batch) {
    batch.settle();
    giveBackIfDone(batch);
  }

  void settleAll() {
    List.copyOf(batches).forEach(this::settle);
  }

  private void giveBackIfDone(OutgoingBatch batch) {
    if (batch.isDone() && batches.remove(batch)) {
      batch.pages().forEach(memory::giveBack);
      sent -= batch.isSent() ? 1 : 0;
    }
  }

  /** Batches that the network reads. */
  int inNetwork() {
    return inNetwork;
  }

  /** Batches that were sent, and will give their pages back without further ado. */
  int sent() {
    return sent;
  }

  /** Batches that were not sent yet. */
  int unsent() {
    return batches.size() - sent;
  }
}
