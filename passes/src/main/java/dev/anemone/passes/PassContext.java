// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What passes may know of the job besides its graph. Immutable and thread-safe.
 *
 * @param slots how many tasks can run at the same time, at least 1
 * @param memoryPerTaskBytes memory that a task may use, in bytes, at least 1
 * @param options the user's settings for passes by name, read with {@link #get}
 * @param startedVertices ids of the vertices of which a task has started; empty before the job runs
 * @param resizableVertices ids of the vertices whose {@link dev.anemone.ir.property.Parallelism} a
 *     run-time pass may lower; empty before the job runs
 */
public record PassContext(
    int slots,
    long memoryPerTaskBytes,
    Map<String, String> options,
    Set<String> startedVertices,
    Set<String> resizableVertices) {

  public PassContext {
    if (slots < 1) {
      throw new IllegalArgumentException("slots must be at least 1, was " + slots);
    }
    if (memoryPerTaskBytes < 1) {
      throw new IllegalArgumentException(
          "memory per task must be at least 1 byte, was " + memoryPerTaskBytes);
    }
    Objects.requireNonNull(options, "options");
    options = Collections.unmodifiableMap(new TreeMap<>(options));
    startedVertices = Collections.unmodifiableSet(new TreeSet<>(startedVertices));
    resizableVertices = Collections.unmodifiableSet(new TreeSet<>(resizableVertices));
  }

  /** A context before the job runs. */
  public static PassContext of(int slots, long memoryPerTaskBytes, Map<String, String> options) {
    return new PassContext(slots, memoryPerTaskBytes, options, Set.of(), Set.of());
  }

  /** The same job after tasks of these vertices have started. */
  public PassContext withStarted(Set<String> vertexIds) {
    return new PassContext(slots, memoryPerTaskBytes, options, vertexIds, resizableVertices);
  }

  /** The same job, in which run-time passes may take tasks from these vertices. */
  public PassContext withResizable(Set<String> vertexIds) {
    return new PassContext(slots, memoryPerTaskBytes, options, startedVertices, vertexIds);
  }

  /** The same job with other memory. */
  public PassContext withMemoryPerTask(long bytes) {
    return new PassContext(slots, bytes, options, startedVertices, resizableVertices);
  }

  /** The same job with one option set or replaced. */
  public PassContext withOption(String name, String value) {
    Map<String, String> changed = new TreeMap<>(options);
    changed.put(name, value);
    return new PassContext(slots, memoryPerTaskBytes, changed, startedVertices, resizableVertices);
  }

  /**
   * The value of an option, or its default.
   *
   * @throws IllegalArgumentException when the given text is no such value; names the option
   */
  public <T> T get(PassOption<T> option) {
    String text = options.get(option.name());
    return text == null ? option.defaultValue() : option.parse(text);
  }

  /** Whether an option was given. */
  public boolean has(PassOption<?> option) {
    return options.containsKey(option.name());
  }
}
