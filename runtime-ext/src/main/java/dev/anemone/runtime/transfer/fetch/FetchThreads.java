// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.fetch;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of a JVM that fetch blocks. They end when there is nothing to do. Thread-safe. */
public final class FetchThreads implements Executor {

  /** A thread is made anew in less than a millisecond, so it is no option. */
  private static final long IDLE_SECONDS = 10;

  private final ThreadPoolExecutor threads;

  /** At most so many threads. */
  public FetchThreads(int most) {
    threads =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            FetchThreads::thread);
    threads.allowCoreThreadTimeOut(true);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "anemone-fetch");
    thread.setDaemon(true);
    // That of the job whose task comes first would be held by all others.
    thread.setContextClassLoader(FetchThreads.class.getClassLoader());
    return thread;
  }

  @Override
  public void execute(Runnable work) {
    threads.execute(work);
  }
}
