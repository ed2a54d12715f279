// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.runtime.resource.CloseAll;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Objects that the tasks of a job share, by key. To make one keeps only those waiting who want the
 * same, and they can be interrupted. Thread-safe.
 */
final class SharedObjects implements AutoCloseable {

  private final String jobId;
  private final Map<String, Slot> slots = new HashMap<>();
  private boolean closed;

  /** The object of a key, once it is made. */
  private static final class Slot {

    private final ReentrantLock making = new ReentrantLock();
    private Object object;
  }

  SharedObjects(String jobId) {
    this.jobId = jobId;
  }

  /**
   * The object of a key.
   *
   * @param factory makes it; when that fails, the next caller tries
   * @throws IllegalStateException when the job has ended; what was made is closed then
   */
  @SuppressWarnings("unchecked") // one key stands for one type, by contract with the callers
  <T> T get(String key, Callable<T> factory) throws Exception {
    Slot slot = slot(key);
    slot.making.lockInterruptibly();
    try {
      if (slot.object == null) {
        keep(slot, factory.call());
      }
      return (T) slot.object;
    } finally {
      slot.making.unlock();
    }
  }

  /** The object of a key, if it has been made. */
  synchronized Optional<Object> find(String key) {
    Slot slot = slots.get(key);
    return slot == null ? Optional.empty() : Optional.ofNullable(slot.object);
  }

  private synchronized Slot slot(String key) {
    if (closed) {
      throw ended();
    }
    return slots.computeIfAbsent(key, absent -> new Slot());
  }

  private void keep(Slot slot, Object made) throws Exception {
    synchronized (this) {
      if (!closed) {
        slot.object = made;
        return;
      }
    }
    if (made instanceof AutoCloseable closeable) {
      closeable.close();
    }
    throw ended();
  }

  private IllegalStateException ended() {
    return new IllegalStateException("job " + jobId + " has ended");
  }

  /** Closes all that are there, even when one of them cannot be. */
  @Override
  public void close() throws Exception {
    CloseAll.ofAnyKind(taken());
  }

  private synchronized List<AutoCloseable> taken() {
    closed = true;
    List<AutoCloseable> taken = new ArrayList<>();
    for (Slot slot : slots.values()) {
      if (slot.object instanceof AutoCloseable closeable) {
        taken.add(closeable);
      }
    }
    slots.clear();
    return taken;
  }
}
