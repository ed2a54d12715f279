// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What must be closed, the last that was added first. Each step has a deadline, and one that fails
 * does not keep the others from being done. Thread-safe.
 */
final class ShutdownSteps {

  /** Something to close. */
  @FunctionalInterface
  interface Step {
    void close() throws Exception;
  }

  private record Named(String name, Step step) {}

  private final Deque<Named> steps = new ArrayDeque<>();
  private final Duration deadline;

  /**
   * Nothing to close yet.
   *
   * @param deadline of each step
   */
  ShutdownSteps(Duration deadline) {
    this.deadline = deadline;
  }

  /** Adds a step, which will come before those that are there already. */
  synchronized void add(String name, Step step) {
    steps.push(new Named(name, step));
  }

  /**
   * Closes all.
   *
   * @throws IllegalStateException something could not be closed; the others are
   */
  synchronized void closeAll() {
    IllegalStateException failure = null;
    while (!steps.isEmpty()) {
      Named next = steps.pop();
      try {
        close(next);
      } catch (IllegalStateException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Closes all because of a failure, to which it adds its own. */
  void closeAfter(Throwable failure) {
    try {
      closeAll();
    } catch (IllegalStateException e) {
      failure.addSuppressed(e);
    }
  }

  private void close(Named named) {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              named.step().close();
              return null;
            });
    Thread thread = new Thread(task, "close " + named.name());
    thread.setDaemon(true);
    thread.start();
    try {
      task.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("could not stop " + named.name(), e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "could not stop " + named.name() + " within " + deadline.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while stopping " + named.name(), e);
    }
  }
}
