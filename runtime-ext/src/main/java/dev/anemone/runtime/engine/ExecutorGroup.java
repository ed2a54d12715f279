// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

import dev.anemone.ir.property.ResourcePriority;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Executors of one kind, as Apache Nemo's executor file describes them. An executor runs one task
 * at a time, in a container of its own.
 *
 * @param kind which vertices they are for, those with this {@link ResourcePriority}
 * @param memoryMb memory in MB of a container, heap and off-heap together
 * @param cores virtual cores of a container, at least 1
 * @param count the most that there are at a time; empty for as many as the cluster has room for
 * @param nodes hosts on which they should run; empty for any
 */
public record ExecutorGroup(
    ResourcePriority kind, int memoryMb, int cores, Optional<Integer> count, List<String> nodes) {

  /** With less, a JVM has no room for its heap, its threads and its off-heap memory. */
  public static final int LEAST_MEMORY_MB = 512;

  public ExecutorGroup {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(count, "count");
    nodes = List.copyOf(nodes);
    if (memoryMb < LEAST_MEMORY_MB) {
      throw new IllegalArgumentException(
          "an executor needs at least " + LEAST_MEMORY_MB + " MB, not " + memoryMb);
    }
    if (cores < 1) {
      throw new IllegalArgumentException("an executor needs at least one core, not " + cores);
    }
    count.ifPresent(
        number -> {
          if (number < 1) {
            throw new IllegalArgumentException("a group has at least one executor, not " + number);
          }
        });
  }
}
