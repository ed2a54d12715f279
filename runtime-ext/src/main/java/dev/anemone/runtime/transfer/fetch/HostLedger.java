// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.fetch;

import dev.anemone.runtime.transfer.announcement.BlockLocation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the tasks of a JVM have met with at other nodes: the penalty box of Hadoop MapReduce's and
 * Tez's fetchers, for all tasks of an executor. A node is in trouble from the first try that fails
 * until one succeeds, and forgotten when nobody has tried it for a penalty longer than it was to be
 * left alone. Thread-safe.
 *
 * <p>Times are those of {@link System#nanoTime}.
 */
public final class HostLedger {

  /** Nodes that answered last; asked whether this one is cut off. */
  private static final int MOST_ANSWERED = 4;

  private final FetchSettings settings;
  private final Map<BlockLocation, Trouble> troubled = new HashMap<>();

  /** The one that answered last comes first. */
  private final Deque<BlockLocation> answered = new ArrayDeque<>();

  private boolean everAnswered;
  private long answeredNanos;

  /**
   * A node that fails.
   *
   * @param sinceNanos when the first try began that failed
   * @param lastNanos when the last one failed
   * @param retryNanos when to try again
   * @param failures how many tries failed, none having succeeded between them
   * @param givenUp whether its blocks are to be reported
   * @param answered whether it has said something the last time
   */
  record Trouble(
      long sinceNanos,
      long lastNanos,
      long retryNanos,
      int failures,
      boolean givenUp,
      boolean answered) {}

  /** Nothing known of any node. */
  public HostLedger(FetchSettings settings) {
    this.settings = settings;
  }

  FetchSettings settings() {
    return settings;
  }

  /** The longest that a connection to a node may take to be made. */
  public Duration connectTimeout() {
    return settings.connectTimeout();
  }

  /** From so many nodes something may be fetched at once. */
  public int nodesAtOnce() {
    return settings.nodesAtOnce();
  }

  /** A node has handed out a block, or said that it has none. */
  public synchronized void answered(BlockLocation location) {
    troubled.remove(location);
    noteAnswer(location);
  }

  private void noteAnswer(BlockLocation location) {
    answered.remove(location);
    answered.addFirst(location);
    if (answered.size() > MOST_ANSWERED) {
      answered.removeLast();
    }
    everAnswered = true;
    answeredNanos = System.nanoTime();
  }

  /**
   * A try has failed.
   *
   * @param beganNanos when it began
   * @param hasAnswered whether the node has said something
   */
  public synchronized void failed(BlockLocation location, long beganNanos, boolean hasAnswered) {
    long now = System.nanoTime();
    Trouble former = troubled.get(location);
    long since = former == null ? beganNanos : former.sinceNanos();
    int failures = former == null ? 1 : former.failures() + 1;
    boolean givenUp = now - since >= settings.patience().toNanos();
    Duration wait = givenUp ? settings.penalty() : settings.waitAfter(failures);
    troubled.put(
        location, new Trouble(since, now, now + wait.toNanos(), failures, givenUp, hasAnswered));
    if (hasAnswered) {
      noteAnswer(location);
    }
  }

  /** The trouble with a node; empty when it is well, or nothing is known. */
  synchronized Optional<Trouble> trouble(BlockLocation location) {
    forgetOld();
    return Optional.ofNullable(troubled.get(location));
  }

  private void forgetOld() {
    long now = System.nanoTime();
    troubled
        .values()
        .removeIf(trouble -> now - trouble.retryNanos() > settings.penalty().toNanos());
  }

  /** Whether some node has answered since then. */
  synchronized boolean answeredSince(long nanos) {
    return everAnswered && answeredNanos - nanos > 0;
  }

  /** Nodes that have answered and are not in trouble, those first that did so last. */
  synchronized List<BlockLocation> well() {
    return answered.stream().filter(location -> !troubled.containsKey(location)).toList();
  }

  /** Whether several nodes say nothing, and none has said anything for as long as patience has. */
  synchronized boolean isAllSilent() {
    if (silent() < 2) {
      return false;
    }
    long longAgo = System.nanoTime() - settings.patience().toNanos();
    return !answeredSince(longAgo)
        && troubled.values().stream().anyMatch(trouble -> trouble.sinceNanos() - longAgo <= 0);
  }

  /** How many nodes are in trouble that say nothing at all. */
  synchronized int silent() {
    forgetOld();
    return (int) troubled.values().stream().filter(trouble -> !trouble.answered()).count();
  }
}
