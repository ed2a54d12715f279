// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What YARN's lists show of the application whose master this JVM is: where its page is, and, after
 * its end, what has come of its jobs. Who knows these does not know who tells them to YARN, as Tez
 * makes both. Thread-safe.
 */
public final class YarnListing {

  private static final Logger LOG = LoggerFactory.getLogger(YarnListing.class);

  /** A session may run any number of jobs, and YARN keeps what is said of it in memory. */
  private static final int JOBS_TOLD = 10;

  private static final Deque<String> ENDS = new ArrayDeque<>();
  private static int ended;
  private static final CompletableFuture<Optional<URI>> PAGE = new CompletableFuture<>();

  private YarnListing() {}

  /** Where the page is that serves from now on; empty when there is none. */
  static void setPage(Optional<URI> address) {
    PAGE.complete(address);
  }

  /**
   * Where the page is, as soon as it serves; empty where there is none, or not in time.
   *
   * @param application the settings that it was started with
   */
  public static Optional<URI> page(Configuration application, Duration atMost) {
    if (!MasterHistory.isShown(application)) {
      return Optional.empty();
    }
    try {
      return PAGE.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.warn("YARN is not told where the page of this application is", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }

  /** A job has ended, as a line says. */
  static synchronized void jobEnded(String line) {
    ended++;
    ENDS.addLast(line + "\n");
    if (ENDS.size() > JOBS_TOLD) {
      ENDS.removeFirst();
    }
  }

  /** What has come of the jobs: a line for each of the last ones, with a line feed. */
  public static synchronized String ends() {
    int others = ended - ENDS.size();
    return (others == 0 ? "" : others + " jobs before these\n") + String.join("", ENDS);
  }
}
