// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * All batches of a sender that have pages, and those that it had, which it uses again. Pages of a
 * batch go back when its bytes are settled and the network has released it, whichever comes last.
 * Used by the sender's thread.
 */
final class OutgoingBatches {

  private final TaskMemory memory;

  /** They are few, since each but the last has a page. */
  private final List<OutgoingBatch> batches = new ArrayList<>();

  /** Of pages that were ever here, since they come again. */
  private final IdentityHashMap<ByteBuffer, PageBytes> pageBytes = new IdentityHashMap<>();

  private final Deque<OutgoingBatch> done = new ArrayDeque<>();
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
    OutgoingBatch batch = done.isEmpty() ? new OutgoingBatch() : done.pop();
    batch.begin(maxEntries);
    batches.add(batch);
    return batch;
  }

  /** Adds a page to a batch; false when there is none to be had now. */
  boolean addPage(OutgoingBatch batch) {
    ByteBuffer page = memory.tryTake();
    if (page == null) {
      return false;
    }
    batch.addPage(page, pageBytes.computeIfAbsent(page, PageBytes::new));
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
      for (int i = 0; i < batch.pages().size(); i++) {
        memory.giveBack(batch.pages().get(i));
      }
      sent -= batch.isSent() ? 1 : 0;
      done.push(batch);
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
