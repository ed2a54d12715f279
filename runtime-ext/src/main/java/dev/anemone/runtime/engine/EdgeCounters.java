// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

import java.util.List;

/**
 * What went over a link, counted by its tasks.
 *
 * @param records records written by producers
 * @param rawBytes bytes of their keys and values
 * @param storedBytes bytes that were stored or pushed for the consumers, after combining and
 *     compression
 * @param spills how often memory ran out on either side
 * @param spilledBytes bytes that were written because of it
 * @param diskReads reads of local files by consumers
 * @param diskSeeks those of them that did not go on where the one before had ended
 * @param diskReadBytes bytes that they read
 * @param pushedBytes bytes that producers pushed
 * @param transportBytes those of them that went over a transport of one-sided reads, and not by
 *     Netty
 * @param fallenBackBytes bytes that producers should have pushed and left in local files
 * @param memoryPeakBytes the most off-heap memory that a task used for the link on one side
 */
public record EdgeCounters(
    long records,
    long rawBytes,
    long storedBytes,
    long spills,
    long spilledBytes,
    long diskReads,
    long diskSeeks,
    long diskReadBytes,
    long pushedBytes,
    long transportBytes,
    long fallenBackBytes,
    long memoryPeakBytes) {

  /** All zero. */
  public static final EdgeCounters NONE = new EdgeCounters(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** What both counted: sums, and the larger of the peaks. */
  public EdgeCounters plus(EdgeCounters other) {
    return new EdgeCounters(
        records + other.records,
        rawBytes + other.rawBytes,
        storedBytes + other.storedBytes,
        spills + other.spills,
        spilledBytes + other.spilledBytes,
        diskReads + other.diskReads,
        diskSeeks + other.diskSeeks,
        diskReadBytes + other.diskReadBytes,
        pushedBytes + other.pushedBytes,
        transportBytes + other.transportBytes,
        fallenBackBytes + other.fallenBackBytes,
        Math.max(memoryPeakBytes, other.memoryPeakBytes));
  }

  /** The numbers in the order of the components. */
  public List<Long> values() {
    return List.of(
        records,
        rawBytes,
        storedBytes,
        spills,
        spilledBytes,
        diskReads,
        diskSeeks,
        diskReadBytes,
        pushedBytes,
        transportBytes,
        fallenBackBytes,
        memoryPeakBytes);
  }

  /** Counters from what {@link #values} gave. */
  public static EdgeCounters of(List<Long> v) {
    return new EdgeCounters(
        v.get(0), v.get(1), v.get(2), v.get(3), v.get(4), v.get(5), v.get(6), v.get(7), v.get(8),
        v.get(9), v.get(10), v.get(11));
  }
}
