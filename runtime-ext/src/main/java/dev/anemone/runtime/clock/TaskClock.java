// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.clock;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Divides the time of a task attempt among what it does. It is always in one {@link Part}; whoever
 * begins something else says so, and goes back at its end, so the parts exclude each other. That is
 * said where pages, chunks or phases begin and not for each record; what happens between records is
 * told by {@link #reassign} from some of them. Used by the task's thread; what others do meanwhile
 * is not in it.
 */
public final class TaskClock {

  /**
   * A system property of the JVM of tasks: {@code true} has all clocks stand still. What clocks
   * cost is measured with it, and nothing else.
   */
  public static final String OFF_PROPERTY = "anemone.taskClock.off";

  private static final boolean OFF = Boolean.getBoolean(OFF_PROPERTY);

  /** What a task does. */
  public enum Part {
    /** All that is nothing else: code of the user, and the operators around it. */
    COMPUTE,
    /** Reading sources, and what others have written. */
    INPUT,
    /** Waiting for what others have written or still write. */
    FETCH_WAIT,
    /** Sorting what is written. */
    SORT,
    /** Writing what does not fit into memory, and merging that. */
    SPILL,
    /** Sending to aggregation tasks, and waiting for their answers. */
    PUSH,
    /** Combining, compressing and writing what others read. */
    WRITE,
    /** Leave to commit, the commit itself, and what is done after it. */
    COMMIT
  }

  private final Map<Part, Sum> sums = new EnumMap<>(Part.class);
  private Part current = Part.COMPUTE;
  private long since = now();

  /** Nanoseconds in a part, without those since it was entered last. */
  private static final class Sum {
    private long nanos;
  }

  /** A clock that begins now. */
  public TaskClock() {
    for (Part part : Part.values()) {
      sums.put(part, new Sum());
    }
  }

  private static long now() {
    return OFF ? 0 : System.nanoTime();
  }

  /** Whether clocks of this JVM stand still. */
  static boolean isOff() {
    return OFF;
  }

  /**
   * Goes to another part.
   *
   * @return the part that it was in; to be given to {@link #back}
   */
  public Part enter(Part part) {
    long now = now();
    sums.get(current).nanos += now - since;
    since = now;
    Part before = current;
    current = part;
    return before;
  }

  /** Goes back to the part that {@link #enter} has returned. */
  public void back(Part before) {
    enter(before);
  }

  /** Nanoseconds in the current part until now. */
  public long nanosHere() {
    return sums.get(current).nanos + now() - since;
  }

  /** Gives time of the current part, or as much as there is of it, to another one. */
  public void reassign(long given, Part to) {
    enter(current);
    long moved = Math.min(given, sums.get(current).nanos);
    sums.get(current).nanos -= moved;
    sums.get(to).nanos += moved;
  }

  /** Milliseconds in a part until now. */
  public long millis(Part part) {
    enter(current);
    return TimeUnit.NANOSECONDS.toMillis(sums.get(part).nanos);
  }
}
