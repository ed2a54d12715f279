// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls to a cluster that end by a deadline, whatever Hadoop's many retries and time limits add up
 * to. Closing it interrupts calls that still run; their threads are daemons.
 */
public final class BoundedCalls implements AutoCloseable {

  private final ExecutorService threads;
  private final long endNanos;

  /**
   * Calls that have to end in time.
   *
   * @param name of the threads
   * @param threads how many calls run at a time
   * @param deadline from now on
   */
  public BoundedCalls(String name, int threads, Duration deadline) {
    this.threads =
        Executors.newFixedThreadPool(
            threads,
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    this.endNanos = System.nanoTime() + deadline.toNanos();
  }

  /**
   * The result of a call.
   *
   * @throws TimeoutException when the deadline has passed before there is one
   * @throws IOException when the call failed
   */
  public <T> T call(Callable<T> call) throws IOException, TimeoutException {
    return all(List.of(call)).get(0);
  }

  /**
   * The results of calls, some of which run at the same time.
   *
   * @throws TimeoutException when the deadline has passed before all have ended
   * @throws IOException when one of them failed
   */
  public <T> List<T> all(List<Callable<T>> calls) throws IOException, TimeoutException {
    List<T> results = new ArrayList<>();
    try {
      long left = endNanos - System.nanoTime();
      for (Future<T> ended : threads.invokeAll(calls, left, TimeUnit.NANOSECONDS)) {
        results.add(ended.get());
      }
    } catch (CancellationException e) {
      TimeoutException timeout = new TimeoutException(results.size() + " of " + calls.size());
      timeout.initCause(e);
      throw timeout;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("a call was interrupted");
      interrupted.initCause(e);
      throw interrupted;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    }
    return results;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
