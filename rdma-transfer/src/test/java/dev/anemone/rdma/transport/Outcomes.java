// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Counts how operations end. Thread-safe. */
public final class Outcomes implements Completion {

  private final AtomicInteger ended = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final AtomicReference<IOException> failure = new AtomicReference<>();

  @Override
  public void completed(IOException cause) {
    if (cause != null) {
      failure.compareAndSet(null, cause);
      failed.incrementAndGet();
    }
    ended.incrementAndGet();
  }

  /** Operations that have ended. */
  public int ended() {
    return ended.get();
  }

  /** Operations of these that have failed. */
  public int failed() {
    return failed.get();
  }

  /** The first failure, or null. */
  public IOException failure() {
    return failure.get();
  }

  /** Waits until so many operations have ended. */
  public void awaitEnded(int count) {
    Await.until(count + " operations, of which " + ended + " have ended", () -> ended() >= count);
  }

  /** Waits until so many operations have ended, and fails when one of them has. */
  public void awaitDone(int count) throws IOException {
    Await.until(
        count + " operations, of which have ended: " + ended,
        () -> ended() >= count || failure.get() != null);
    if (failure.get() != null) {
      throw new IOException("an operation failed: " + failure.get().getMessage(), failure.get());
    }
  }
}
