// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs tasks one at a time, in their order, on the threads that bring them: who comes while another
 * one runs leaves the task to that one. So no thread ever waits for another, and a callback of the
 * network's usually runs its task at once. Thread-safe.
 */
public final class SerialExecutor implements Executor {

  private final Consumer<RuntimeException> onFailure;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pending = new AtomicInteger();

  /**
   * An executor.
   *
   * @param onFailure gets what a task throws, and throws nothing itself
   */
  public SerialExecutor(Consumer<RuntimeException> onFailure) {
    this.onFailure = onFailure;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    if (pending.getAndIncrement() > 0) {
      return;
    }
    do {
      try {
        tasks.remove().run();
      } catch (RuntimeException e) {
        onFailure.accept(e);
      }
    } while (pending.decrementAndGet() > 0);
  }
}
