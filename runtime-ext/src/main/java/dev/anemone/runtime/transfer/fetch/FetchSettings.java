// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.fetch;

import java.time.Duration;
import java.util.Objects;

/**
 * How blocks are fetched from other nodes, and how patiently. Each time is at least 1 ms, each
 * number at least 1.
 *
 * @param connectTimeout the longest that a connection may take to be made
 * @param readTimeout the longest that a node may send nothing
 * @param patience how long a node is tried that fails, before its blocks are reported. Between the
 *     tries there are waits, which double from a sixtieth of this to a quarter
 * @param penalty how long a node is left alone after that, until it is tried again
 * @param nodesAtOnce from how many nodes a task fetches at once, and how many threads a node has
 *     for that
 * @param blocksAtOnce how many blocks a node is asked for together
 * @param aheadBytes a task begins no other fetch while so many stored bytes wait for it
 */
public record FetchSettings(
    Duration connectTimeout,
    Duration readTimeout,
    Duration patience,
    Duration penalty,
    int nodesAtOnce,
    int blocksAtOnce,
    long aheadBytes) {

  /** As Hadoop MapReduce has it. */
  public static final int NODES_AT_ONCE = 5;

  /** As Hadoop MapReduce and Tez have it. */
  public static final int BLOCKS_AT_ONCE = 20;

  /** 16 MB. */
  public static final long AHEAD_BYTES = 16L << 20;

  /** 5 s to connect, 60 s to read, 30 s of patience, and as much of penalty. */
  public static final FetchSettings DEFAULT =
      new FetchSettings(
          Duration.ofSeconds(5),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30));

  private static final int FIRST_WAIT = 60;
  private static final int LONGEST_WAIT = 4;
  private static final int MOST_DOUBLINGS = 16;

  public FetchSettings {
    requireMillis("connect timeout", connectTimeout);
    requireMillis("read timeout", readTimeout);
    requireMillis("patience", patience);
    requireMillis("penalty", penalty);
    if (nodesAtOnce < 1 || blocksAtOnce < 1 || aheadBytes < 1) {
      throw new IllegalArgumentException(
          "nodes at once, blocks at once and bytes ahead must be at least 1, not "
              + nodesAtOnce
              + ", "
              + blocksAtOnce
              + " and "
              + aheadBytes);
    }
  }

  /** Settings of how patiently blocks are fetched; the rest is as usual. */
  public FetchSettings(
      Duration connectTimeout, Duration readTimeout, Duration patience, Duration penalty) {
    this(
        connectTimeout, readTimeout, patience, penalty, NODES_AT_ONCE, BLOCKS_AT_ONCE, AHEAD_BYTES);
  }

  private static void requireMillis(String what, Duration duration) {
    Objects.requireNonNull(duration, what);
    if (duration.compareTo(Duration.ofMillis(1)) < 0
        || duration.compareTo(Duration.ofMillis(Integer.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException(
          "the " + what + " of fetches must be from 1 to 2147483647 ms, not " + duration);
    }
  }

  /** How long to wait after so many failures in a row, at least 1. */
  Duration waitAfter(int failures) {
    Duration wait =
        patience
            .dividedBy(FIRST_WAIT)
            .multipliedBy(1L << Math.min(Math.max(failures, 1) - 1, MOST_DOUBLINGS));
    Duration longest = patience.dividedBy(LONGEST_WAIT);
    return wait.compareTo(longest) < 0 ? wait : longest;
  }
}
